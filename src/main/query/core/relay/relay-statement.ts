import { isServiceError } from '../../../../plan/errors.ts'
import { foldSqlName, type Source } from '../../../../plan/statement/statement.ts'
import type { SqlPreparedAnswer } from '../../../../plan/task/task.ts'
import { sameType } from '../../../../plan/types/schema.ts'
import { readStatement } from '../../../sql/gate/gate.ts'
import { type Declinable, decline, orDeclinedLater, type Reason } from '../../bind/declined.ts'
import type { BoundStatement } from '../../duckdb/relay-statement.ts'
import type { PreparedScan } from '../../plan/prepare-scan.ts'
import type { FilesTable } from '../../source/files-table.ts'
import type { QueryContext } from '../../source/query-context.ts'
import { isOfOneService, type RemoteRows } from '../../source/remote/remote-rows.ts'
import { schemaDigest } from '../../source/schema/shared-schemas.ts'
import { areColumnsThere, relayAnswer, serviceOf } from './prepare-relayed.ts'
import { printTemplate, type ReadColumns } from './print-template.ts'
import { type StatementTemplate, statementTemplate } from './statement-template.ts'
import { requireRelayable, requireShort } from './whole-statement.ts'

/**
 * Has another service of this version make the whole answer of a statement that DuckDB runs, if all that it reads are tables of that service. Else says why
 * not. Null: it reads no table of one.
 */
export async function relayStatement(
  bound: BoundStatement,
  context: QueryContext,
): Promise<Declinable<PreparedScan> | null> {
  const tables = bound.sources.map(({ table }) => table)
  const remotes = tables.map(serviceOf)
  const [first = null, ...others] = remotes.filter((remote) => remote !== null)
  if (first === null) return null
  const isOfOne = tables.length === 1 + others.length && isOfOneService([first, ...others])
  return orDeclinedLater(async () => {
    if (!isOfOne || bound.hasValues) decline('it reads other tables than those of one service')
    const { answer, output } = bound
    if (!answer.isConstant) decline('its answer may be another one at any time')
    requireRelayable(output)
    const text = await orDeclinedLater(() => statementFor(bound, tables, context)).catch(reasonOfRefusal)
    if ('reason' in text) return decline(text.reason.what)
    const { statement, read } = text.done
    const reading = tables.flatMap((table, index) => (table === undefined ? [] : [{ table, index }]))
    const relayed = await relayAnswer(
      {
        table: tables[remotes.indexOf(first)] ?? decline('it reads no table'),
        output,
        statement,
        hasColumns: async () => {
          for (const { table, index } of reading) {
            const { fields } = table.schema
            const names = [...(read.get(index) ?? [])].flatMap((column) => fields[column]?.name ?? [])
            if (!(await areColumnsThere(table, names, context))) return false
          }
          return true
        },
      },
      orFetched(first),
      context,
    )
    return 'done' in relayed ? relayed.done : decline(relayed.reason.what)
  })
}

/** Rows that are fetched if the other service, which has just told its columns, computes for so long that it counts as gone. */
function orFetched(rows: RemoteRows): RemoteRows {
  return {
    ...rows,
    relay: (statement, answer, ticket) =>
      rows.relay(statement, answer, ticket).catch((error: unknown) => {
        if (isServiceError(error) && error.code === 'remote_unavailable') return null
        throw error
      }),
  }
}

/** Why a statement does not go that is refused in the form in which it would be sent. Other errors are thrown on. */
function reasonOfRefusal(error: unknown): { readonly reason: Reason } {
  if (!isServiceError(error) || (error.code !== 'invalid_sql' && error.code !== 'not_supported')) throw error
  return { reason: { what: 'it is not certain that its text is understood there', at: null } }
}

interface RelayedText {
  readonly statement: string
  /** The columns that it reads of each source. */
  readonly read: ReadonlyMap<number, ReadonlySet<number>>
}

/**
 * The statement that is sent. It is bound here before, with a name of its own for each table in it: only if that has the same columns, and reads of each table
 * what is listed of it, is it the same statement.
 */
async function statementFor(
  bound: BoundStatement,
  tables: readonly FilesTable[],
  context: QueryContext,
): Promise<RelayedText> {
  const { text, sources, definitions, answer } = bound
  const names = { formats: context.formats, catalog: context.catalog.name }
  const template = statementTemplate(text, {
    names,
    sources: new Map(
      sources.flatMap(({ source: { request } }, index) =>
        request?.kind === 'table' ? [[foldSqlName(request.name), index] as const] : [],
      ),
    ),
    views: new Map(
      definitions.filter(({ query }) => query !== null).map((view) => [foldSqlName(view.name), view]),
    ),
  })
  const schemas = sources.map(({ source }) => source)
  const read = await readColumnsOf(template, schemas, bound)
  const tableAt = (gap: number): RemoteRows | null => {
    const table = tables[template.sources[gap] ?? -1]
    return table === undefined ? null : serviceOf(table)
  }
  const statement = printTemplate(
    template,
    schemas,
    read,
    (gap) => tableAt(gap)?.source.table ?? decline('it reads other tables than those of one service'),
  )
  requireShort(statement)
  if (readStatement(statement, names).text !== statement)
    decline('it is not certain that its text means the same there')
  const readOf = new Map<number, Set<number>>()
  for (const [gap, columns] of read.entries()) {
    const source = template.sources[gap] ?? -1
    readOf.set(source, new Set([...(readOf.get(source) ?? []), ...columns]))
  }
  if (answer.scans.some(({ source }) => !readOf.has(source)))
    decline('it is not certain that its text means the same there')
  return { statement, read: readOf }
}

/** The columns that the statement reads at each gap, once it has been bound with just these. */
async function readColumnsOf(
  template: StatementTemplate,
  schemas: readonly Source[],
  bound: BoundStatement,
): Promise<readonly ReadColumns[]> {
  const sources = gapSources(template, schemas)
  let read = template.sources.map((source) => unionOf(bound.answer, source, schemas))
  for (let round = 1; round <= 2; round++) {
    const again = await boundAgain(template, schemas, sources, read, bound)
    requireSame(bound, template, again)
    const now = sources.map((_, gap) => unionOf(again, gap, sources))
    if (now.every((columns, gap) => columns.join() === read[gap]?.join())) return read
    read = now
  }
  return decline('it is not certain which columns it reads there')
}

/** The columns that all scans of a source read. */
function unionOf(
  { scans }: SqlPreparedAnswer,
  source: number,
  schemas: readonly Pick<Source, 'schema'>[],
): ReadColumns {
  const all = (): ReadColumns => schemas[source]?.schema.fields.map((_, index) => index) ?? []
  const read = scans.flatMap((scan) => (scan.source === source ? [scan.columns ?? all()] : []))
  return [...new Set(read.flat())].sort((a, b) => a - b)
}

/** The sources of the gaps, each of which has a name of its own. */
function gapSources({ sources }: StatementTemplate, schemas: readonly Source[]): readonly Source[] {
  return sources.map((source, gap) => {
    const schema = schemas[source] ?? decline('a table without columns')
    return { ...schema, request: { kind: 'table', catalog: null, schema: null, name: gapName(gap) } }
  })
}

function gapName(gap: number): string {
  return `relayed ${gap}`
}

async function boundAgain(
  template: StatementTemplate,
  schemas: readonly Source[],
  sources: readonly Source[],
  read: readonly ReadColumns[],
  { bind }: BoundStatement,
): Promise<SqlPreparedAnswer> {
  const sql = printTemplate(template, schemas, read, (gap) => ({ schema: 'public', name: gapName(gap) }))
  requireShort(sql)
  const definitions = sources.map(({ schema }, gap) => ({
    name: gapName(gap),
    digest: `relayed ${schemaDigest(schema)}`,
    query: null,
  }))
  const answer = await bind({ sql, sources, definitions, absent: template.common })
  return answer ?? decline('it is not certain what its names mean there')
}

/** Declines a statement that has other columns when it is bound again, or that reads its tables in another order. */
function requireSame(
  { answer }: BoundStatement,
  { sources }: StatementTemplate,
  again: SqlPreparedAnswer,
): void {
  const [one, other] = [answer.output.fields, again.output.fields]
  const isOutputSame =
    one.length === other.length &&
    one.every(({ name, type }, index) => {
      const field = other[index]
      return field !== undefined && field.name === name && sameType(field.type, type)
    })
  const areScansSame =
    answer.scans.length === again.scans.length &&
    answer.scans.every(({ source }, number) => sources[again.scans[number]?.source ?? -1] === source)
  if (!isOutputSame || !areScansSame || !again.isConstant)
    decline('it is not certain that its text means the same there')
}
