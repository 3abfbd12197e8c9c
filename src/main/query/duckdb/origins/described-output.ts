import { withGeometryMark } from '../../../../plan/arrow/geometry.ts'
import type { Formats } from '../../../../plan/format/create-formats.ts'
import type { FileSummary } from '../../../../plan/source/segments.ts'
import type { NamedDefinition } from '../../../../plan/statement/definition.ts'
import { foldSqlName, sqlNames } from '../../../../plan/statement/statement.ts'
import { runInSlices } from '../../../../plan/steps.ts'
import type { Field, Schema } from '../../../../plan/types/schema.ts'
import { PUBLIC } from '../../../catalog/catalog.ts'
import { isSign, type Token, tokenize } from '../../../sql/text/tokens.ts'
import { isOfArrays, keepsMetadata, metadataOfColumns } from '../../plan/column-metadata.ts'
import type { ResolvedSource } from '../sources.ts'
import { type Columns, columnsOfQuery, type SourceName } from './column-origins.ts'

/** A column of a source. */
interface Origin {
  readonly source: number
  /** Its name in the files. */
  readonly name: string
}

/** A statement, and what it was bound to. */
interface Bound {
  readonly text: string
  readonly definitions: readonly NamedDefinition[]
  readonly sources: readonly ResolvedSource[]
  readonly formats: Formats
  /** Summaries of the files that its scans read, with the index of their source. */
  readonly read: readonly { readonly source: number; readonly summaries: readonly FileSummary[] }[]
}

/**
 * The columns of a statement's answer. Those that come from a column of arrays, by the text of the statement beyond doubt, have its
 * attributes; those that come from a geometry are marked as such.
 */
export async function describedOutput(output: Schema, bound: Bound): Promise<Schema> {
  const { sources, read } = bound
  if (!sources.some(hasAttributes)) return output
  const columns = columnsOf(bound, output)
  if (columns === null || !columns.some(({ origin }) => origin !== null)) return output
  const ofSources = await Promise.all(
    sources.map(({ table }, index) => {
      const names = columns.flatMap(({ origin }) => (origin?.source === index ? [origin.name] : []))
      const summaries = read.flatMap((each) => (each.source === index ? each.summaries : []))
      return runInSlices(metadataOfColumns(new Set(names), table, summaries))
    }),
  )
  const fields = output.fields.map((field, index): Field => {
    const origin = columns[index]?.origin ?? null
    const metadata = origin === null ? undefined : ofSources[origin.source]?.get(origin.name)
    const source = sources[origin?.source ?? -1]
    if (metadata === undefined || source === undefined) return field
    return isOfArrays(source.table) ? { ...field, metadata } : withGeometryMark(field, metadata)
  })
  return { ...output, fields }
}

function hasAttributes({ table }: ResolvedSource): boolean {
  return keepsMetadata(table) && table.schema.fields.some(({ metadata }) => Object.keys(metadata).length > 0)
}

/** The origins of the columns of the answer. Null: the text has others than DuckDB. */
function columnsOf({ text, definitions, sources, formats }: Bound, { fields }: Schema): Columns<Origin> {
  const find = (source: SourceName, depth: number): Columns<Origin> => {
    const view = source.kind === 'table' ? viewNamed(source.parts, definitions) : null
    if (view !== null) return columnsOfQuery(tokenize(view), find, depth)
    const matches = sources.flatMap((each, index) => (isSource(each, source, formats) ? [index] : []))
    const [index = -1, ...others] = matches
    return others.length > 0 ? null : columnsOfSource(sources[index], index)
  }
  const columns = columnsOfQuery(tokenize(text), find)
  const isSame =
    columns?.length === fields.length &&
    columns.every(
      ({ name }, index) => name === null || foldSqlName(name) === foldSqlName(fields[index]?.name ?? ''),
    )
  return isSame ? columns : null
}

function columnsOfSource(source: ResolvedSource | undefined, index: number): Columns<Origin> {
  if (source === undefined) return null
  const { schema } = source.table
  const names = sqlNames(schema)
  return schema.fields.map((field, at) => ({
    name: names[at] ?? '',
    origin: keepsMetadata(source.table) ? { source: index, name: field.name } : null,
  }))
}

/** The text of a view's query. Null: the name is none of a view. */
function viewNamed(parts: readonly string[], definitions: readonly NamedDefinition[]): string | null {
  const view = definitions.find(({ name }) => isNamed(name, parts))
  return view?.query ?? null
}

/** Whether a name that is written, with or without its schema, is that of a table or a view of the catalog. */
function isNamed(name: string, parts: readonly string[]): boolean {
  const [localName = '', schema = PUBLIC] = parts.toReversed()
  return foldSqlName(localName) === foldSqlName(name) && foldSqlName(schema) === PUBLIC
}

/** Whether a source may be what a statement writes. Calls that differ in their options alone are not told apart. */
function isSource(
  { source: { request } }: ResolvedSource,
  written: SourceName,
  { functions }: Formats,
): boolean {
  if (request === null || request.kind === 'system') return false
  if (request.kind === 'table') return written.kind === 'table' && isNamed(request.name, written.parts)
  if (written.kind !== 'call') return false
  const row = functions.get(written.name.toLowerCase())
  return row?.id === request.format.kind && isEqual(request.paths, pathsIn(written.args))
}

/** The paths of a call, which come first. Empty: they are no plain texts. */
function pathsIn(args: readonly Token[]): readonly string[] {
  const isList = isSign(args[0], '[')
  const paths: string[] = []
  for (let at = isList ? 1 : 0; ; at += 2) {
    const token = args[at]
    if (token?.kind !== 'string' || !token.text.startsWith("'")) return []
    paths.push(token.text.slice(1, -1).replaceAll("''", "'"))
    const next = args[at + 1]
    if (isList ? isSign(next, ']') : next === undefined || isSign(next, ',')) return paths
    if (!isList || !isSign(next, ',')) return []
  }
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index])
}
