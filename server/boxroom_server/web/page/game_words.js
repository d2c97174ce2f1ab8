/**
 * The words of games in the person's language.
 *
 * A server gives each text of a game in English beside a name, such as that of an option; the key
 * of the text in the tables follows from the name. What no table has is English.
 */

/** Return the text of `key`, or `otherwise` if no language has it. */
export function known(t, key, otherwise, values = {}) {
  const text = t(key, values);
  return text === key ? otherwise : text;
}

export function titleOfGame({ game, title }, t) {
  return known(t, `title.${game}`, title);
}

export function rulesOf({ game, rules }, t) {
  return known(t, `rules.${game}`, rules);
}

export function labelOf({ game }, { name }, t) {
  return known(t, `game.${game}.${name}.label`, name);
}

/** Return what an option of a game means. */
export function meaningOf({ game }, { name, help }, t) {
  return known(t, `game.${game}.${name}`, help);
}

/** Return a value of an option: a number, or a word that may be one of its choices. */
export function valueInWords({ game }, { name }, value, t) {
  return known(t, `game.${game}.${name}.${value}`, String(value));
}
