import { isServiceError, ServiceError } from '../../../../plan/errors.ts'
import { columnsOf } from '../../../../plan/predicate/predicate.ts'
import { runInSlices } from '../../../../plan/steps.ts'
import type { CallableFunctions } from '../../../query/bind/functions.ts'
import type { Filter } from '../../../query/request/filters/filter.ts'
import type { FunctionEntry, SelectEntry } from '../../../query/request/select.ts'
import { at } from '../../../query/request/shape.ts'
import type { SupportedJson } from '../../../query/request/supported.ts'
import { type FilesTable, listed } from '../../../query/source/files-table.ts'
import type { QueryContext } from '../../../query/source/query-context.ts'
import { type PreparedStatement, prepareStatement } from '../prepare-statement.ts'
import { estimatedRows, type ResolvedSource } from '../sources.ts'
import { callableFunctions } from './callable-functions.ts'
import { type ScanStatement, statementOf } from './statement-of.ts'

/**
 * Prepares a JSON request that the core has declined, as a statement over one scan. The table has statistics of the filter's
 * columns. Numbers are passed to functions as 64-bit floats. If DuckDB has no such function for floats, whole numbers among its
 * arguments are passed as integers. Throws what `statementOf` and `prepareStatement` throw.
 */
export async function prepareRequest(
  request: SupportedJson,
  table: FilesTable,
  key: string,
  context: QueryContext,
): Promise<PreparedStatement> {
  const { relation, schema } = table
  const calls = callsIn(request)
  const known = calls.length === 0 ? new Set<string>() : await context.engines.functions(context.signal)
  const takingIntegers = new Set<string>()
  for (;;) {
    try {
      return await prepareWith(callableFunctions(known, takingIntegers))
    } catch (error) {
      const refused = refusedFunction(error)
      if (refused === null || takingIntegers.has(refused))
        throw withPath(error, calls, regularExpressionsIn(request.filters))
      takingIntegers.add(refused)
    }
  }

  async function prepareWith(functions: CallableFunctions): Promise<PreparedStatement> {
    const statement = await statementOf(request, table, schema, {
      functions,
      async schemaOf(part) {
        const { plan, lease } = await prepare(part, `${key}/types`)
        lease.release()
        return plan.output
      },
    })
    const prepared = await prepare(statement, key)
    const { plan } = prepared
    const fields = plan.output.fields.map((field, index) => ({ ...field, ...statement.outputs[index] }))
    return { ...prepared, plan: { ...plan, output: { fields, metadata: schema.metadata } } }
  }

  async function prepare({ sql, scan }: ScanStatement, name: string): Promise<PreparedStatement> {
    const fields = scan.projection.map((each) => each.field)
    const statistics = scan.filter === null ? [] : columnsOf(scan.filter)
    const columns = scan.columns.map(({ name }) => name)
    const read = await listed(table, scan.filter, { statistics, columns }, context)
    const { files, summaries } = read
    const own: ResolvedSource = {
      source: {
        request: null,
        digest: null,
        schema: { fields, metadata: {} },
        rows: await runInSlices(estimatedRows(files, summaries)),
      },
      table: read,
      own: { scan: { scan, relation, files }, summaries },
    }
    return prepareStatement(sql, [own], name, context)
  }
}

/** The function that DuckDB does not have for the types of its arguments, by an error. Null: the error is another one. */
function refusedFunction(error: unknown): string | null {
  if (!isServiceError(error) || error.code !== 'invalid_sql') return null
  return /^Binder Error: No function matches .*? argument types '"?(\w+)"?\(/.exec(error.message)?.[1] ?? null
}

/** The most paths that a message names if it is not known which of them it is about. */
const MOST_PATHS = 5

/** An error of DuckDB about a statement, as one about the call or the regular expression in the JSON request that caused it. */
function withPath(error: unknown, calls: readonly FunctionEntry[], expressions: readonly string[]): unknown {
  if (!isServiceError(error) || error.code !== 'invalid_sql') return error
  const refused = refusedFunction(error)
  const about = calls.filter(({ name }) => name === refused)
  const isSyntax = expressions.length > 0 && error.message.startsWith('Invalid Input Error: ')
  const all = isSyntax ? expressions : (about.length === 0 ? calls : about).map(({ path }) => path)
  if (all.length === 0) return error
  const paths = all.slice(0, MOST_PATHS)
  const said = error.message
    .replace(/^[\w ]+ Error: /, '')
    .replace(' You might need to add explicit type casts.', '')
  const reason = isSyntax ? `this is no regular expression of RE2: ${said}${withoutPerl(said)}` : said
  return new ServiceError('invalid_query', `${paths.join(' or ')}: ${reason}`, { cause: error })
}

/** The end of a message about an expression that Perl has and RE2 has not. Empty: it is about something else. */
function withoutPerl(said: string): string {
  return /perl operator|escape sequence/.test(said) ? '; it has no look-around and no back-references' : ''
}

/** The JSON paths of the regular expressions that DuckDB evaluates. */
function regularExpressionsIn(filters: readonly Filter[]): readonly string[] {
  return filters.flatMap((filter) => {
    switch (filter.kind) {
      case 'and':
      case 'or':
        return regularExpressionsIn(filter.args)
      case 'not':
        return regularExpressionsIn([filter.arg])
      default:
        return filter.kind === 'match' && filter.match === 'regex' ? [at(filter.path, filter.match)] : []
    }
  })
}

/** All calls in a request, an outer one before those in its arguments. */
function callsIn({ select, distinct }: SupportedJson): readonly FunctionEntry[] {
  const visit = (entry: SelectEntry): readonly FunctionEntry[] =>
    entry.kind === 'function' ? [entry, ...entry.args.flatMap(visit)] : []
  // Without `select`, it is the same list as `distinct.select`.
  return [...new Set([...select, ...(distinct?.on ?? []), ...(distinct?.select ?? [])])].flatMap(visit)
}
