import { parseTableName, printTableName } from '../names.ts'
import type { Describe, NameOrQuery, Summarize } from '../node.ts'
import {
  isCallNext,
  isQueryNext,
  type ParsedStatement,
  parseCallText,
  parseQueryText,
} from '../query-text.ts'

/** Parses what follows DESCRIBE or DESC. */
export function parseDescribe(statement: ParsedStatement): Describe {
  return Object.freeze({ kind: 'describe', of: parseNameOrQuery(statement) })
}

/** Parses what follows SUMMARIZE. */
export function parseSummarize(statement: ParsedStatement): Summarize {
  return Object.freeze({ kind: 'summarize', of: parseNameOrQuery(statement) })
}

export function printDescribe({ of }: Describe): string {
  return `DESCRIBE ${printNameOrQuery(of)}`
}

export function printSummarize({ of }: Summarize): string {
  return `SUMMARIZE ${printNameOrQuery(of)}`
}

function parseNameOrQuery(statement: ParsedStatement): NameOrQuery {
  const { reader } = statement
  if (isQueryNext(reader)) return Object.freeze({ kind: 'query', text: parseQueryText(statement) })
  if (isCallNext(reader)) return Object.freeze({ kind: 'query', text: parseCallText(statement) })
  reader.couldBe('a query')
  return Object.freeze({ kind: 'name', name: parseTableName(reader) })
}

function printNameOrQuery(of: NameOrQuery): string {
  return of.kind === 'query' ? of.text : printTableName(of.name)
}
