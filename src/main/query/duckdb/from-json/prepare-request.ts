import { isServiceError, ServiceError } from '../../../../plan/errors.ts'
import { at } from '../../../json/shape.ts'
import type { CallableFunctions } from '../../bind/functions.ts'
import type { Filter } from '../../request/filters/filter.ts'
import type { JsonRequest } from '../../request/request.ts'
import type { FunctionEntry, SelectEntry } from '../../request/select.ts'
import type { QueryContext } from '../../source/query-context.ts'
import type { PreparedStatement } from '../prepare-statement.ts'
import { callableFunctions, INTEGRAL_FUNCTIONS } from './callable-functions.ts'
import { type RequestRows, schemaOf } from './request-rows.ts'
import { statementOf } from './statement-of.ts'

/**
 * Prepares a JSON request that the core has declined, as a statement. Numbers are passed to functions as 64-bit floats. If a function is
 * none for floats, by the table of functions or because DuckDB has none, whole numbers among its arguments are passed as integers. Throws what `statementOf` and
 * `prepareStatement` throw.
 */
export async function prepareRequest(
  request: JsonRequest,
  rows: RequestRows,
  key: string,
  context: QueryContext,
): Promise<PreparedStatement> {
  const calls = callsIn(request)
  const functionNames =
    calls.length === 0 ? new Set<string>() : await context.engines.functions(context.signal)
  const takingIntegers = new Set(INTEGRAL_FUNCTIONS)
  for (;;) {
    try {
      return await prepareWith(callableFunctions(functionNames, takingIntegers))
    } catch (error) {
      const refused = refusedBy(error).filter((name) => !takingIntegers.has(name))
      if (refused.length === 0) throw withPath(error, calls, regularExpressionsIn(request.filters))
      for (const name of refused) takingIntegers.add(name)
    }
  }

  async function prepareWith(functions: CallableFunctions): Promise<PreparedStatement> {
    const statement = await statementOf(request, rows, {
      functions,
      schemaOf: ({ sql, scan }) => schemaOf(rows.prepare(sql, scan, `${key}/types`)),
    })
    const prepared = await rows.prepare(statement.sql, statement.scan, key)
    const { plan } = prepared
    const fields = plan.output.fields.map((field, index) => ({ ...field, ...statement.outputs[index] }))
    return { ...prepared, plan: { ...plan, output: { fields, metadata: rows.schema.metadata } } }
  }
}

/** The functions of which an error says that one does not take the types of its arguments, in lower case. Empty: it says something else. */
function refusedBy(error: unknown): readonly string[] {
  return isServiceError(error) ? (error.refused ?? []).map((name) => name.toLowerCase()) : []
}

/** The most paths that a message names if it is not known which of them it is about. */
const MOST_PATHS = 5

/** An error of DuckDB about a statement, as one about the call or the regular expression in the JSON request that caused it. */
function withPath(error: unknown, calls: readonly FunctionEntry[], expressions: readonly string[]): unknown {
  if (!isServiceError(error) || error.code !== 'invalid_sql') return error
  const refused = refusedBy(error)
  const about = calls.filter(({ name }) => refused.includes(name))
  const isSyntax = expressions.length > 0 && error.message.startsWith('Invalid Input Error: ')
  const all = isSyntax ? expressions : (about.length === 0 ? calls : about).map(({ path }) => path)
  if (all.length === 0) return error
  const paths = all.slice(0, MOST_PATHS)
  const said = error.message.replace(/^[\w ]+ Error: /, '')
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
function callsIn({ select, distinct }: JsonRequest): readonly FunctionEntry[] {
  const visit = (entry: SelectEntry): readonly FunctionEntry[] =>
    entry.kind === 'function' ? [entry, ...entry.args.flatMap(visit)] : []
  // Without `select`, it is the same list as `distinct.select`.
  return [...new Set([...select, ...(distinct?.on ?? []), ...(distinct?.select ?? [])])].flatMap(visit)
}
