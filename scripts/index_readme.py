"""The README as an index of packages shows it: links and pictures with whole addresses.

In the repository they are paths, which lead nowhere from an index. `hatch_readme.py` writes the
text into the metadata of wheels and of the source distribution.
"""

import re

_PICTURE = re.compile(r'(!\[[^\]]*\]\(|<img src=")(?!https?:)')
_LINK = re.compile(r"(\]\()(?!https?:|#)")


def with_addresses(readme: str, repository: str, version: str) -> str:
    """Return the Markdown text with the addresses of files in the repository at a version's tag."""
    with_pictures = _PICTURE.sub(rf"\g<1>{repository}/raw/v{version}/", readme)
    return _LINK.sub(rf"\g<1>{repository}/blob/v{version}/", with_pictures)
