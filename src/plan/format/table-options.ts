type Reject = (what: string) => never

/** A key of OPTIONS of an external table. Its values are texts. */
export interface TableOption {
  /** In lower case. */
  readonly key: string
  /** The option of the format that it sets. Null: its value is checked, and has no effect. */
  readonly option: string | null
  /** What a text is to the option, as JSON would give it. */
  valueOf(text: string, reject: Reject): unknown
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
])

/** A key whose text is the value of the option. */
export function textOption(key: string, option: string | null = key): TableOption {
  return Object.freeze({ key, option, valueOf: (text: string) => text })
}

/** A key with a whole number. */
export function countOption(key: string): TableOption {
  return Object.freeze({
    key,
    option: key,
    // Any other text is one that the option itself rejects.
    valueOf: (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : text),
  })
}

/** A key that is true or false. */
export function flagOption(key: string, option: string | null = key): TableOption {
  return Object.freeze({
    key,
    option,
    valueOf: (text: string, reject: Reject) =>
      FLAGS.get(text.trim().toLowerCase()) ??
      reject(`${key} must be true or false, 1 or 0, yes or no, on or off`),
  })
}

/** A key with several texts, with commas between them. */
export function listOption(key: string, option: string | null = key): TableOption {
  return Object.freeze({ key, option, valueOf: listOf })
}

/** A key that is true or false, or a list. */
export function flagOrListOption(key: string): TableOption {
  return Object.freeze({
    key,
    option: key,
    valueOf: (text: string) => FLAGS.get(text.trim().toLowerCase()) ?? listOf(text),
  })
}

function listOf(text: string): readonly string[] {
  return text.split(',').map((each) => each.trim())
}
