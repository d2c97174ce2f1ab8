"""The modules of the page as one script."""

import subprocess
from shutil import which

import pytest
from tests.cases import each

from boxroom_server.web.bundle import bundle

MODULES = {
    "main.js": """
import { LENGTH, grown as longer } from './board/board.js';
import words from './words.js';
const secret = 'main';
console.log(secret, words.hello, longer(LENGTH), LENGTH);
""",
    "board/board.js": """
import {
  added,
  ONE,
} from './numbers.js';
import words from '../words.js';
const secret = words.hello + 'board';
export const LENGTH = secret.length;
export function grown(number) {
  return added(number, ONE);
}
""",
    "board/numbers.js": """
export const ONE = 1;
export class Number {}
export async function later() {}
function added(one, other) {
  return one + other;
}
export { added };
""",
    "words.js": "export default {\n  hello: 'hello',\n};\n",
    "unused.js": "console.log('unused');\n",
}


@pytest.mark.skipif(which("node") is None, reason="needs node")
def test_the_script_does_what_the_modules_do() -> None:
    script = bundle(MODULES, "main.js")
    command = ["node", "--input-type=module", "--eval", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "main hello 11 10\n"


def test_each_module_is_in_the_script_once_after_those_that_it_imports() -> None:
    script = bundle(MODULES, "main.js")
    places = [script.index(text) for text in ("ONE = 1", "hello: ", "LENGTH = ", "'main'")]
    assert places == sorted(places)
    assert script.count("hello: ") == 1
    assert "unused" not in script


def test_modules_that_import_each_other_are_refused() -> None:
    modules = {"a.js": "import { b } from './b.js';\n", "b.js": "import { a } from './a.js';\n"}
    with pytest.raises(ValueError, match=r"import each other: a\.js, b\.js, a\.js"):
        bundle(modules, "a.js")


@each("form", ["export * from './b.js';", "import './b.js';", "export let x = 1;"])
def test_a_form_that_would_be_lost_is_refused(form: str) -> None:
    with pytest.raises(ValueError, match=r"a\.js: the bundle doesn't know this form"):
        bundle({"a.js": form, "b.js": ""}, "a.js")


def test_a_module_that_is_missing_is_missed() -> None:
    with pytest.raises(KeyError, match=r"folder/b\.js"):
        bundle({"a.js": "import { b } from './folder/b.js';\n"}, "a.js")
