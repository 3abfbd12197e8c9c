/** What a header says of a variable. Texts that it leaves out are empty. */
export interface Declaration {
  /** The label with its units, as the row of column names has it. */
  readonly label: string
  readonly valueType: string
  readonly qfSchema: string
  readonly comment: string
  /** Whether it describes stations. */
  readonly isMetadata: boolean
}

/** The beginning of a declaration behind the `//`, in any case. */
const VARIABLE = /^\/\/\s{0,16}<(Meta|Data)Variable(?=[\s/>])/i

/** The declaration in a line of a header. Null: the line has none, or one without a label. */
export function declarationIn(line: string): Declaration | null {
  const [begin, kind] = VARIABLE.exec(line) ?? []
  if (begin === undefined || kind === undefined) return null
  const attributes = attributesIn(line, begin.length)
  const label = (attributes.get('label') ?? '').trim()
  if (label === '') return null
  return {
    label,
    valueType: (attributes.get('value_type') ?? '').trim().toUpperCase(),
    qfSchema: attributes.get('qf_schema') || attributes.get('qf_scheme') || '',
    comment: attributes.get('comment') ?? '',
    isMetadata: kind.toLowerCase() === 'meta',
  }
}

/**
 * The attributes `name="value"` of a line from a character on, by their names in lower case; of equal names the first. Takes linear time
 * for any line: each quote is looked for once, and the name in front of it no further back than the quote before.
 */
function attributesIn(line: string, begin: number): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>()
  let at = begin
  for (;;) {
    const open = line.indexOf('"', at)
    const close = open < 0 ? -1 : line.indexOf('"', open + 1)
    if (close < 0) return attributes
    const name = nameBefore(line, open, at)
    if (name === '') {
      // Quotes in a value, which should have been written as entities.
      at = open + 1
      continue
    }
    if (!attributes.has(name)) attributes.set(name, withoutEntities(line.slice(open + 1, close)))
    at = close + 1
  }
}

/** The name in front of the `=` before a quote, not before `from`. Empty: there is none. */
function nameBefore(line: string, quote: number, from: number): string {
  const before = line.slice(from, quote).trimEnd()
  if (!before.endsWith('=')) return ''
  const name = before.slice(0, -1).trimEnd()
  let begin = name.length
  while (begin > 0 && isOfName(name.charCodeAt(begin - 1))) begin--
  return name.slice(begin).toLowerCase()
}

const UNDERSCORE = 95

/** Whether a name may have this character: a letter, an underscore or a digit. */
function isOfName(code: number): boolean {
  const letter = code | 32
  return (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57) || code === UNDERSCORE
}

const ENTITIES: Readonly<Record<string, string>> = Object.freeze({
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
})

const MOST_CODE_POINT = 0x10ffff

/** The text with the entities of XML undone. */
function withoutEntities(text: string): string {
  return text.replaceAll(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/gi,
    (entity, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code > 0 && code <= MOST_CODE_POINT ? String.fromCodePoint(code) : entity
    },
  )
}
