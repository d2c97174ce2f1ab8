"""The page of wheels: without what only people need, and otherwise the same."""

from scripts.minify_page import minified, minified_page

from boxroom_server.web.page_files import bundled_files


def test_scripts_and_style_sheets_lose_what_only_people_need() -> None:
    script = b"/** a\n * b ** */\nf( 1 ); // g\n  k('http://l // l');\n\nn(`o  /* p */`);\n"
    style = b"/* a */\n.b :is(c,  d)  {\n  e: 'f  g';\n}\n"
    document = b"<!-- a -->\n<p>  b\n"
    assert minified("main.js", script) == b"f(1);k('http://l // l');n(`o  /* p */`);"
    assert minified("folder/a.css", style) == b".b :is(c,d){e:'f  g'}"
    assert minified("a.html", document) == document


def test_the_page_keeps_its_files_and_gets_smaller() -> None:
    sources, page = bundled_files(), minified_page()
    assert page.keys() == sources.keys()
    assert all(len(page[path]) <= len(sources[path]) for path in page)
    assert len(page["main.js"]) < 0.8 * len(sources["main.js"])
