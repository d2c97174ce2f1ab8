"""Write the JSON Schema of the messages in boxroom_engine.wire, beside them."""

from pathlib import Path

from boxroom_engine.wire import schema

if __name__ == "__main__":
    file = Path(schema.__file__).with_name(schema.SCHEMA_FILE)
    file.write_text(schema.schema_text(), encoding="utf-8")
