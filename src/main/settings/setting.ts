/** One setting, which is an environment variable. */
export interface Setting<T> {
  readonly fallback: T
  readonly about: string
  /** The allowed values, for messages and for docs/reference/settings.md. */
  readonly expects: string
  /** Who sees the value in `/api/info`. Messages have no value that nobody may see. */
  readonly shownTo: 'everybody' | 'super-user' | 'nobody'
  /** The value of the variable's text. Undefined: it is not allowed. */
  parse(text: string): T | undefined
}

export function text(fallback: string, about: string): Setting<string> {
  return { fallback, about, expects: 'text', shownTo: 'everybody', parse: (value) => value }
}

/** A text, or null if the variable is absent or empty. */
export function optionalText(about: string): Setting<string | null> {
  return { fallback: null, about, expects: 'text', shownTo: 'everybody', parse: (value) => value || null }
}

export function shownTo<T>(audience: Setting<T>['shownTo'], setting: Setting<T>): Setting<T> {
  return { ...setting, shownTo: audience }
}

export function match(fallback: string, pattern: RegExp, expects: string, about: string): Setting<string> {
  return {
    fallback,
    about,
    expects,
    shownTo: 'everybody',
    parse: (value) => (pattern.test(value) ? value : undefined),
  }
}

export function flag(fallback: boolean, about: string): Setting<boolean> {
  return {
    fallback,
    about,
    expects: '`true` or `false`',
    shownTo: 'everybody',
    parse: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
  }
}

/** A flag that may also be written by the words with which the reference service reads it. */
export function wordedFlag(fallback: boolean, about: string): Setting<boolean> {
  return {
    fallback,
    about,
    expects: '`true`, `1` or `on`, or `false`, `0` or `off`',
    shownTo: 'everybody',
    parse: (value) =>
      ['true', '1', 'on'].includes(value) ? true : ['false', '0', 'off'].includes(value) ? false : undefined,
  }
}

export function integer(fallback: number, low: number, high: number, about: string): Setting<number> {
  return {
    fallback,
    about,
    expects: `a whole number from ${low} to ${high}`,
    shownTo: 'everybody',
    parse(value) {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
      return number >= low && number <= high ? number : undefined
    },
  }
}

export function choice<const T extends string>(
  fallback: NoInfer<T>,
  values: readonly T[],
  about: string,
): Setting<T> {
  return {
    fallback,
    about,
    expects: `one of ${values.map((value) => `\`${value}\``).join(', ')}`,
    shownTo: 'everybody',
    parse: (value) => values.find((each) => each === value),
  }
}

/** A comma-separated list. Blanks around items and empty items are dropped, and every item must match the pattern. */
export function list(
  fallback: readonly string[],
  pattern: RegExp,
  expects: string,
  about: string,
): Setting<readonly string[]> {
  return {
    fallback,
    about,
    expects: `a comma-separated list of ${expects}`,
    shownTo: 'everybody',
    parse(value) {
      const items = value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
      return items.every((item) => pattern.test(item)) ? Object.freeze(items) : undefined
    },
  }
}
