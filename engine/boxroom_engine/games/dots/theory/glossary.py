"""The field's words with their meaning, for people who meet them in a hint or a review."""

from collections.abc import Mapping

GLOSSARY: Mapping[str, str] = {
    "chain": "boxes in a row that are each taken with one line, one after the other: a player who"
    " draws a line in it lets the other take all of them.",
    "loop": "a chain that closes into a ring. It has four boxes or more.",
    "long chain": "a chain of three boxes or more. Its last two boxes can be declined, so the"
    " player who is offered it decides who moves next.",
    "joint": "a box where chains meet, because three or four of its lines are open.",
    "neutral move": "a line that gives nothing away: no box has three lines after it. When none is"
    " left, the player to move has to open a chain.",
    "handout": "a chain of one or two boxes that is given away. Of two boxes it is half-hearted if"
    " the other player can decline them, hard-hearted if not: then the line is in the middle.",
    "double-dealing move": "a line that takes all but the last two boxes of a chain, or four of a"
    " loop. The other player takes these with one line and has to move again.",
    "control": "the power to make the other player open every long chain and loop. It is kept by"
    " double-dealing moves, which give up two boxes of each chain, or four of each loop.",
    "parity": "whether a number is odd or even. The number of neutral moves left decides who has to"
    " open the first chain. The long chain rule says which parity is good: with two players and an"
    " even number of dots, the player who began wants an even number of long chains; with an odd"
    " number of dots, an odd number.",
    "loony move": "a line that offers boxes of which the other player can take all, or decline the"
    " last ones: it gives the choice away. Every opening of a long chain is one.",
    "margin": "the boxes of one player less those of the other. What a move loses is counted in it:"
    " a box that one player gets instead of the other makes two.",
}
"""Meaning of each word, as a sentence that follows it and a colon."""
