/**
 * Marks of players: the text and the colour that identify a player on a board and beside it.
 *
 * There are more glyphs than colours, because nothing may depend on colour alone.
 *
 * @import { GameOffered } from './protocol.js'
 *
 * @typedef {{glyph: string, className: string}} Mark
 * @typedef {{seats: {glyph: number}[], settings: {game: string}}} Marked a room, as far as it says
 */

const SHAPES = '●■▲◆★▼○□△◇☆▽';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const GLYPHS = [...SHAPES, ...LETTERS];

/** The number of colours of seats, `--seat-0` and so on in styles/colours.css. */
const COLOURS = 8;

/** A character after a shape, which asks for it as text and not as a coloured picture. */
const AS_TEXT = '\uFE0E';

/**
 * Return the text of glyph `number`, different for each: a shape, a letter or a digit and, when
 * these run out, the number itself, counted from 1. Terminals show the same.
 *
 * @type {(number: number) => string}
 */
function glyphOf(number) {
  return GLYPHS[number] ?? String(number + 1);
}

/**
 * Return the mark of `seat`: its text, and its class for the colour.
 *
 * @type {(picture: Marked, seat: number, games: GameOffered[]) => Mark}
 */
export function markOf(picture, seat, games) {
  const number = picture.seats[seat]?.glyph ?? seat;
  const own = games.find((game) => game.game === picture.settings.game)?.marks?.[seat];
  const glyph = own ?? glyphOf(number);
  return {
    glyph: SHAPES.includes(glyph) ? glyph + AS_TEXT : glyph,
    className: `seat-${number % COLOURS}`,
  };
}
