import { foldSqlName } from '../../../../plan/statement/statement.ts'
import { printIdentifier } from '../../text/keywords.ts'
import { parseList } from '../../text/parse-list.ts'
import type { DeclaredColumn, DeclaredPartition } from '../node.ts'
import { type StatementReader, takeOneOf } from '../statement-reader.ts'
import { show } from '../texts.ts'

/** Parses `name type [NOT NULL], …)`, which follows an opening bracket. */
export function parseColumns(reader: StatementReader): readonly DeclaredColumn[] {
  return parseNamed(reader, (name) =>
    Object.freeze({
      name,
      type: parseType(reader, reader.expectWord('a type')),
      isRequired: reader.takeWords('NOT', 'NULL'),
    }),
  )
}

/** Parses `name [type], …)`, which follows an opening bracket. */
export function parsePartitions(reader: StatementReader): readonly DeclaredPartition[] {
  return parseNamed(reader, (name) => {
    const word = reader.takeWord('a type')
    return Object.freeze({ name, type: word === null ? null : parseType(reader, word) })
  })
}

export function printColumns(columns: readonly DeclaredColumn[]): string {
  const printed = columns.map(
    ({ name, type, isRequired }) => `${printIdentifier(name)} ${type}${isRequired ? ' NOT NULL' : ''}`,
  )
  return `(${printed.join(', ')})`
}

export function printPartitions(partitions: readonly DeclaredPartition[]): string {
  const printed = partitions.map(({ name, type }) =>
    type === null ? printIdentifier(name) : `${printIdentifier(name)} ${type}`,
  )
  return `(${printed.join(', ')})`
}

/** Parses a list up to its closing bracket of things that begin with a name. No name occurs twice, whatever the case of its letters A to Z. */
function parseNamed<T>(reader: StatementReader, parseRest: (name: string) => T): readonly T[] {
  const names = new Set<string>()
  const list = parseList(reader, () => {
    const token = reader.peek()
    const name = reader.expectName('the name of a column')
    const folded = foldSqlName(name)
    if (names.has(folded)) reader.reject(token, `the column "${show(name)}" is given twice`)
    names.add(folded)
    return parseRest(name)
  })
  reader.expectSign(')')
  return Object.freeze(list)
}

/**
 * Parses the rest of a type that begins with this word. Returns the type as it is written, in upper case, with one space
 * between words. Which types there are is decided where the table is created.
 */
function parseType(reader: StatementReader, first: string): string {
  const second = takeOneOf(reader, ['PRECISION'], ['VARYING'])
  const sizes = parseSizes(reader)
  const zone = takeOneOf(reader, ['WITH', 'TIME', 'ZONE'], ['WITHOUT', 'TIME', 'ZONE'])
  return `${first}${second}${sizes}${zone}${parseLengths(reader)}`
}

/** Parses the numbers of a type such as `DECIMAL(10, 2)`, if it has any. */
function parseSizes(reader: StatementReader): string {
  if (!reader.takeSign('(')) return ''
  const sizes = parseList(reader, () => reader.expectCount('a number'))
  reader.expectSign(')')
  return `(${sizes.join(', ')})`
}

/** Parses what makes a type one of lists: `[]` or `[3]`, any number of times. */
function parseLengths(reader: StatementReader): string {
  let lengths = ''
  while (reader.takeSign('[')) {
    lengths += `[${reader.takeCount('a length') ?? ''}]`
    reader.expectSign(']')
  }
  return lengths
}
