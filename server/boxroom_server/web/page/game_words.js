/**
 * The words of games in the person's language.
 *
 * A server gives each text of a game in English beside a name, such as that of an option; the key
 * of the text in the tables follows from the name. What no table has is English.
 *
 * @import { GameOffered, OptionOffered } from './protocol.js'
 * @import { Translate } from './words.js'
 *
 * @typedef {Pick<GameOffered, 'game'>} Named a game
 * @typedef {Pick<OptionOffered, 'name'>} NamedOption an option of a game
 */

/**
 * Return the text of `key`, or `otherwise` if no language has it.
 *
 * @type {(t: Translate, key: string, otherwise: string, values?: Parameters<Translate>[1]) =>
 *   string}
 */
export function known(t, key, otherwise, values = {}) {
  const text = t(key, values);
  return text === key ? otherwise : text;
}

/**
 * Return the name of a player as people read it: that of a level in their language, also with a
 * number in the room, and as it stands in a record.
 *
 * @type {(name: ?string | undefined, t: Translate) => string}
 */
export function called(name, t) {
  const [whole, bot, rest] = (name ?? '').match(/^([a-z]*)(.*)$/u) ?? [''];
  const isLevel = bot && /^(?: \d+)?(?: \(bot\))?$/.test(rest);
  return isLevel ? known(t, `level.${bot}`, bot) + rest : whole;
}

/** @type {(game: Pick<GameOffered, 'game' | 'title'>, t: Translate) => string} */
export function titleOfGame({ game, title }, t) {
  return known(t, `title.${game}`, title);
}

/** @type {(game: GameOffered, t: Translate) => string} */
export function rulesOf({ game, rules }, t) {
  return known(t, `rules.${game}`, rules ?? '');
}

/** @type {(game: Named, option: NamedOption, t: Translate) => string} */
export function labelOf({ game }, { name }, t) {
  return known(t, `game.${game}.${name}.label`, name);
}

/**
 * Return what an option of a game means.
 *
 * @type {(game: Named, option: Pick<OptionOffered, 'name' | 'help'>, t: Translate) => string}
 */
export function meaningOf({ game }, { name, help }, t) {
  return known(t, `game.${game}.${name}`, help);
}

/**
 * Return a value of an option: a number, or a word that may be one of its choices.
 *
 * @type {(game: Named, option: NamedOption, value: number | string, t: Translate) => string}
 */
export function valueInWords({ game }, { name }, value, t) {
  return known(t, `game.${game}.${name}.${value}`, String(value));
}
