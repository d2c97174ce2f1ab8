"""Write docs/protocol.schema.json from the messages in boxroom_engine.wire."""

from pathlib import Path

from boxroom_engine.wire.schema import schema_text

if __name__ == "__main__":
    docs = Path(__file__).resolve().parents[1] / "docs"
    (docs / "protocol.schema.json").write_text(schema_text(), encoding="utf-8")
