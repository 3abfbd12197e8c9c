import type { FunctionFamily, FunctionRow, Overload } from '../src/plan/functions/function-row.ts'
import { FUNCTION_FAMILIES } from '../src/plan/functions/functions.ts'

/** The section behind those of the families. */
const BEHIND = '\n## Groups and windows\n'

/**
 * The page docs/reference/functions.md, whose sections on the families of functions are made from the table of functions. What stands
 * in front of them and behind them is kept.
 */
export function functionsPage(page: string): string {
  const [first] = FUNCTION_FAMILIES
  const from = page.indexOf(`\n## ${first?.title}\n`)
  const to = page.indexOf(BEHIND)
  if (from < 0 || to < 0) throw new RangeError('the page has no longer the sections that it is made of')
  return `${page.slice(0, from)}${FUNCTION_FAMILIES.map(sectionOf).join('')}${added()}${page.slice(to)}`
}

function sectionOf({ title, about, from, rows }: FunctionFamily): string {
  const over = from === undefined ? '' : `The examples are over \`${from}\`.\n\n`
  const lines = rows.filter(({ sameAs }) => sameAs === null).map((row) => lineOf(row, rows))
  return `
## ${title}

${about === undefined ? '' : `${about}\n\n`}${over}| function | | for example | result |
|---|---|---|---|
${lines.join('\n')}
`
}

/** The section on functions that are not DuckDB's own. */
function added(): string {
  const lists = FUNCTION_FAMILIES.flatMap(({ title, rows }) => {
    const addedFunctions = rows.filter(({ form }) => form.kind !== 'built in' && form.kind !== 'syntax')
    return addedFunctions.length === 0
      ? []
      : [`* ${title}: ${addedFunctions.map(({ name }) => code(name)).join(', ')}`]
  })
  return `
## What the service adds

DuckDB does not have these names, or not with all of these arguments, or with other results:

${lists.join('\n')}
`
}

function lineOf(row: FunctionRow, rows: readonly FunctionRow[]): string {
  const others = rows.filter(({ sameAs }) => sameAs === row.name).map(({ name }) => code(name))
  const also = others.length === 0 ? '' : ` Also ${others.join(', ')}.`
  const [example] = row.examples
  const { call = '', result = null } = example ?? {}
  const shown = result === null ? '' : result === 'NULL' ? 'null' : code(result)
  return `| ${signaturesOf(row).map(code).join(', ')} | ${row.description}${also} | ${code(call)} | ${shown} |`
}

/** Code in a cell of a table. */
function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``
}

/** How a function may be called. Parameters that may be left out at the end stand in brackets. */
function signaturesOf({ name, overloads, form, kind }: FunctionRow): readonly string[] {
  const isBare =
    kind === 'scalar' && form.kind === 'syntax' && overloads.every((each) => each.parameters.length === 0)
  if (isBare) return [name]
  const lists = [...new Map(overloads.map((each) => [namesOf(each).join(), namesOf(each)])).values()]
  const longest = lists.filter(
    (list) => !lists.some((other) => other.length > list.length && isStart(list, other)),
  )
  return longest.map((list) => {
    const lengths = new Set(lists.filter((other) => isStart(other, list)).map(({ length }) => length))
    const least = Math.min(...lengths)
    const optional = list.slice(least).map((each, index) => `[${index + least === 0 ? '' : ', '}${each}`)
    return `${name}(${list.slice(0, least).join(', ')}${optional.join('')}${']'.repeat(optional.length)})`
  })
}

function isStart(list: readonly string[], of: readonly string[]): boolean {
  return list.every((each, index) => each === of[index])
}

function namesOf({ parameters, isVariadic }: Overload): readonly string[] {
  const names = parameters.map(({ name }) => name)
  return isVariadic ? names.with(-1, `${names.at(-1)}, …`) : names
}
