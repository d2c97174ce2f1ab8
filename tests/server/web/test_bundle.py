"""The modules of the page as one script."""

import subprocess
from shutil import which

import pytest
from tests.cases import each

from boxroom_server.web.bundle import bundle

MODULES = {
    "main.js": """
import { LENGTH, grown } from './board/board.js';
import { WORDS } from './words.js';
const secret = 'main';
console.log(secret, WORDS.hello, grown(LENGTH), LENGTH);
""",
    "board/board.js": """
import {
  added,
  ONE,
} from './numbers.js';
import { WORDS } from '../words.js';
const greeting = WORDS.hello + 'board';
export const LENGTH = greeting.length;
export function grown(number) {
  return added(number, ONE);
}
""",
    "board/numbers.js": """
export const ONE = 1;
export class Number {}
export async function later() {}
export function added(one, other) {
  return one + other;
}
""",
    "words.js": "export const WORDS = {\n  hello: 'hello',\n};\n",
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


@each(
    "form",
    [
        *("export * from './b.js';", "import './b.js';", "export let x = 1;", "export default 1;"),
        *("import { x as y } from './b.js';", "import x from './b.js';", "export { x };"),
        *("var x = 1;", "const { x } = globalThis;"),
    ],
)
def test_a_form_that_would_be_lost_is_refused(form: str) -> None:
    with pytest.raises(ValueError, match=r"a\.js: the bundle doesn't know this form"):
        bundle({"a.js": form, "b.js": ""}, "a.js")


def test_a_name_that_two_modules_have_is_refused() -> None:
    modules = {
        "a.js": "import { x } from './b.js';\nexport const y = x;\n",
        "b.js": "export const x = 1;\nfunction y() {}\n",
    }
    with pytest.raises(ValueError, match=r"b\.js and a\.js both have the name y"):
        bundle(modules, "a.js")


def test_a_module_that_is_missing_is_missed() -> None:
    with pytest.raises(KeyError, match=r"folder/b\.js"):
        bundle({"a.js": "import { b } from './folder/b.js';\n"}, "a.js")
