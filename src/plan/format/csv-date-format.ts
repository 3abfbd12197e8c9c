/** Directives that stand for others. */
const EXPANDED: Readonly<Record<string, string>> = Object.freeze({
  '%F': '%Y-%m-%d',
  '%T': '%H:%M:%S',
  '%R': '%H:%M',
  '%D': '%m/%d/%y',
  '%h': '%b',
})

const DIRECTIVES = 'YymbBdjHIMSfpz%'
const MOST_CHARACTERS = 64

/** What a message says is allowed. */
const EXPECTED =
  'date_format is a form such as %d.%m.%Y or %d/%m/%Y %H:%M:%S, with %Y %y %m %b %B %d %j %H %I %p %M %S %f %z'

/**
 * Reads the form of dates or times, with the directives of `strptime`. The result has no directives that stand for others, and
 * no `-` in them: a number may always lack its leading zero. `reject` throws an error.
 */
export function readDateFormat(given: unknown, reject: (what: string) => never): string {
  if (typeof given !== 'string' || given.length > MOST_CHARACTERS || !/^[ -~]+$/.test(given))
    return reject(`${EXPECTED}, of at most ${MOST_CHARACTERS} ASCII characters`)
  const format = given.replaceAll(/%-?(.)?/g, (directive, letter?: string) => {
    if (letter === undefined) return reject(`${EXPECTED}; % at the end stands for nothing`)
    const plain = `%${letter}`
    const expanded = EXPANDED[plain]
    if (expanded === undefined && !DIRECTIVES.includes(letter))
      return reject(`${EXPECTED}; ${directive} is none of them`)
    return expanded ?? plain
  })
  const letters = [...format.matchAll(/%(.)/g)]
    .map(([, letter = '']) => letter)
    .filter((each) => each !== '%')
  const repeated = letters.find((letter, index) => letters.indexOf(letter) !== index)
  if (repeated !== undefined) reject(`${EXPECTED}; %${repeated} stands twice in ${JSON.stringify(given)}`)
  const missing = missingIn(new Set(letters))
  if (missing !== null) reject(`${EXPECTED}; ${JSON.stringify(given)} has no ${missing}`)
  return format
}

/** What a time needs that these directives do not have. Null: nothing. */
function missingIn(letters: ReadonlySet<string>): string | null {
  const has = (...some: readonly string[]): boolean => some.some((letter) => letters.has(letter))
  if (!has('Y', 'y')) return 'year'
  if (!has('j') && !has('m', 'b', 'B')) return 'month'
  if (!has('j', 'd')) return 'day'
  if (has('I') !== has('p')) return '%I together with %p'
  if (has('M', 'z') && !has('H', 'I')) return 'hour'
  if (has('S') && !has('M')) return 'minute'
  if (has('f') && !has('S')) return 'second'
  return null
}
