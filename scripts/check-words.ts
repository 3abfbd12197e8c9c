/**
 * Checks the names of the source against `docs/words.md`: none is a word that says nothing, none has a word that is gone, and no
 * function is named by a participle. Names each that is, and exits with code 1 if there are any, or if the page has more words than a reader can keep.
 */
import { globSync, readFileSync } from 'node:fs'

const MOST_WORDS = 30

/** Names that say nothing, whole. `left` says something beside `right`. */
const EMPTY_NAMES = new Set(['known', 'found', 'made', 'told', 'own', 'kept', 'left', 'areSure', 'isAlone'])

/** Words that are gone, in any part of a name. */
const GONE = new Set(['piece', 'cell', 'job', 'bundle', 'partial'])

/** Names with such a word that others have given, and the folder in which a word has its meaning. */
const FOREIGN = new Set(['Partial', 'can_partial_explore'])
const JOBS = ['src/main/jobs/', 'src/main/history/retention.ts']

/** A function that is named by a participle: `joined`, `preparing`. What makes an error may be named for the fault. */
const PARTICIPLE =
  /\bfunction\*? ((?!proceed\b)[a-z]+(?:ed|ing))\b(?![^\n]*\): (?:ServiceError|Error|never) \{)/g

/** Nouns that end like one. */
const NOUNS = new Set(['heading', 'string', 'ring'])

const sources = globSync('src/**/*.ts')
const faults = [...tooManyWords(), ...sources.flatMap(wrongNames), ...sources.flatMap(participles)]
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0

function tooManyWords(): string[] {
  const [table = ''] = readFileSync('docs/words.md', 'utf8').split('\n## ')
  const words = table.match(/^\| [a-z ]+ \|/gm)?.slice(1) ?? []
  return words.length > MOST_WORDS ? [`docs/words.md: ${words.length} words, more than ${MOST_WORDS}`] : []
}

function wrongNames(file: string): string[] {
  const code = namesOnly(readFileSync(file, 'utf8'))
  const hasRight = /\bright\b/.test(code)
  return code.split('\n').flatMap((line, index) =>
    [...line.matchAll(/[A-Za-z_$][\w$]*/g)].flatMap(([name]) => {
      const isEmpty = EMPTY_NAMES.has(name) && !(name === 'left' && hasRight)
      return isEmpty || (hasGoneWord(name) && !isForeign(name, file)) ? [`${file}:${index + 1}: ${name}`] : []
    }),
  )
}

function participles(file: string): string[] {
  const code = namesOnly(readFileSync(file, 'utf8'))
  return [...code.matchAll(PARTICIPLE)].flatMap(({ 1: name = '', index }) =>
    NOUNS.has(name) ? [] : [`${file}:${code.slice(0, index).split('\n').length}: ${name} is no verb`],
  )
}

function hasGoneWord(name: string): boolean {
  return name.split(/_|(?<=[a-z\d])(?=[A-Z])/).some((word) => GONE.has(word.toLowerCase().replace(/s$/, '')))
}

function isForeign(name: string, file: string): boolean {
  return FOREIGN.has(name) || (/job/i.test(name) && JOBS.some((path) => file.startsWith(path)))
}

/** The code without comments and texts. Expressions in templates stay. */
function namesOnly(code: string): string {
  return code.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g,
    (text) =>
      text.startsWith('`')
        ? text
            .split(/(\$\{[^}]*\})/)
            .map(blankText)
            .join('')
        : blank(text),
  )
}

function blankText(part: string): string {
  return part.startsWith('${') ? part : blank(part)
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}
