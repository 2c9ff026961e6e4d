"""What goes wrong, in one line."""
from typing import Any, Mapping


class Error(Exception):
    """A mistake in the question, a file that cannot be read, a module that cannot be exported.

    what: was found, and what was expected
    where: a file and a place in it, or a module's path; may be empty
    hint: what to do; may be empty
    """

    def __init__(self, what: str, where: str = "", hint: str = "") -> None:
        super().__init__(what, where, hint)
        self.what = what
        self.where = where
        self.hint = hint

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> "Error":
        return cls(fields["what"], fields.get("where", ""), fields.get("hint", ""))

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        return f"{text}; {self.hint}" if self.hint else text
