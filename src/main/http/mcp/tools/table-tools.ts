import { didYouMean } from '../../../../plan/nearest-name.ts'
import { type Field, typeName } from '../../../../plan/types/schema.ts'
import type { CatalogTable } from '../../../catalog/catalog.ts'
import {
  type ExposedColumn,
  type McpExtension,
  type Preset,
  presetsOf,
} from '../../../catalog/extensions/extension.ts'
import { checkMembers, describe, type Members, readArray, readText, reject } from '../../../json/shape.ts'
import type { Services } from '../../services.ts'
import { MOST_ROWS, printRows } from '../bounded-rows.ts'
import { columnsOf, writtenName } from '../named-table.ts'
import { queryRows } from '../query-rows.ts'
import type { Tool, ToolCall } from '../tool.ts'
import { createToolNames, extensionOf, tablesNamedLike } from './tool-names.ts'

const DEFAULT_ROWS = 100

/** The most columns that the description of a tool lists. */
const MOST_LISTED = 100

const GUIDANCE = `The table has more rows. Ask for a higher limit, of at most ${MOST_ROWS}, for fewer columns or by a preset; or aggregate with run_sql.`

type TableServices = Pick<Services, 'answers' | 'catalog' | 'config' | 'formats' | 'queries' | 'statements'>

/** The tools of the tables with an enabled extension `mcp` that the caller may read, by the names of the tables. */
export async function tableTools(
  services: TableServices,
  reserved: readonly string[],
  call: ToolCall,
): Promise<readonly Tool[]> {
  const enabled = services.catalog
    .snapshot()
    .all(call.caller)
    .filter((table) => extensionOf(table) !== null)
  return toolsOf(enabled, services, reserved, call)
}

/** That one of these tools which has this name. Only tables whose tools may be called so are looked at. */
export async function tableToolNamed(
  name: string,
  services: TableServices,
  reserved: readonly string[],
  call: ToolCall,
): Promise<Tool | null> {
  const snapshot = services.catalog.snapshot()
  const visible = tablesNamedLike(name, snapshot).filter(
    (table) => snapshot.find(call.caller, table.name, table.schema) !== null,
  )
  const tools = await toolsOf(visible, services, reserved, call)
  return tools.find((each) => each.name === name) ?? null
}

async function toolsOf(
  enabled: readonly CatalogTable[],
  services: TableServices,
  reserved: readonly string[],
  { caller, signal }: ToolCall,
): Promise<readonly Tool[]> {
  if (enabled.length === 0) return []
  const nameOf = createToolNames(reserved)
  const tables = await services.queries.readableOf(enabled, caller, signal)
  return tables.flatMap((table) => tableTool(table, nameOf(table), services) ?? [])
}

/** Null: none of the columns that it would have is in the table any more. */
function tableTool(table: CatalogTable, name: string, services: TableServices): Tool | null {
  const extension = extensionOf(table) ?? {}
  const presets = presetsOf(table.definition?.extensions ?? {})
  const exposed = exposedColumns(table, extension)
  if (exposed?.length === 0) return null
  return {
    name,
    title: extension.title ?? table.name,
    description: descriptionOf(table, extension, exposed),
    inputSchema: {
      type: 'object',
      properties: {
        select: {
          type: 'array',
          items: {
            type: 'string',
            ...(exposed !== null && isFew(exposed) && { enum: exposed.map((each) => each.name) }),
          },
          minItems: 1,
          description: 'The columns of the answer. Default: all that this tool has',
        },
        ...(presets.length > 0 && { preset: presetSchema(presets) }),
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: MOST_ROWS,
          default: DEFAULT_ROWS,
          description: 'The most rows of the answer',
        },
      },
      additionalProperties: false,
    },
    async call(args, call) {
      checkMembers(args, ['select', 'preset', 'limit'], '')
      const columns = exposed ?? (await columnsOf(table, services, call)).fields
      const select = readSelect(
        args,
        columns.map((each) => each.name),
      )
      const preset = args.has('preset') ? { preset: readText(args.get('preset'), 'preset') } : {}
      const limit = readLimit(args)
      const body = { select, from: writtenName(table), ...preset, limit: limit + 1 }
      const rows = await queryRows(services, body, limit, call)
      return { text: printRows(rows, limit, GUIDANCE), notice: rows.notice, queryId: rows.id }
    },
  }
}

/** The columns that the tool of a table has. Those that are not in the table any more are left out. Null: they are not known yet. */
function exposedColumns(
  { columns }: CatalogTable,
  { exposed_columns }: McpExtension,
): readonly (ExposedColumn & { readonly field?: Field })[] | null {
  const fields = new Map(columns?.fields.map((field) => [field.name, field]))
  if (exposed_columns === undefined)
    return columns?.fields.map((field) => ({ name: field.name, field })) ?? null
  return exposed_columns.flatMap((written) => {
    const column = typeof written === 'string' ? { name: written } : written
    const field = fields.get(column.name)
    if (columns !== null && field === undefined) return []
    return [{ ...column, ...(field !== undefined && { field }) }]
  })
}

function isFew(columns: readonly unknown[]): boolean {
  return columns.length <= MOST_LISTED
}

function descriptionOf(
  table: CatalogTable,
  { description, guardrails }: McpExtension,
  exposed: ReturnType<typeof exposedColumns>,
): string {
  const listed = exposed?.slice(0, MOST_LISTED).map(({ name, description: about, field }) => {
    const units = field?.metadata['units']
    const kind =
      field === undefined ? '' : ` (${typeName(field.type)}${units === undefined ? '' : `, ${units}`})`
    return `${name}${kind}${about === undefined ? '' : `: ${about}`}`
  })
  const more =
    exposed === null || isFew(exposed)
      ? ''
      : `; and ${exposed.length - MOST_LISTED} others, which describe_table tells`
  return [
    ...(description === undefined ? [] : [description]),
    `Gives rows of the ${table.type === 'VIEW' ? 'view' : 'table'} ${writtenName(table)} as JSON objects.`,
    ...(listed === undefined ? [] : [`Columns: ${listed.join('; ')}${more}.`]),
    ...(guardrails === undefined ? [] : [`To be observed: ${JSON.stringify(guardrails)}`]),
  ].join('\n')
}

function presetSchema(presets: readonly Preset[]): object {
  const about = presets.flatMap(({ name, description }) =>
    description === undefined ? [] : [`${name}: ${description}`],
  )
  return {
    type: 'string',
    enum: presets.map(({ name }) => name),
    description: ['Only rows that pass these named filters', ...about].join('. '),
  }
}

function readSelect(args: Members, names: readonly string[]): readonly string[] {
  const select = args.get('select')
  if (select === undefined) return names
  const columns = readArray(select, 'select', readText)
  if (columns.length === 0) reject('select', 'expected at least one column')
  for (const [index, name] of columns.entries())
    if (!names.includes(name)) {
      const hint = didYouMean(name, names) || `, the columns are ${names.slice(0, MOST_LISTED).join(', ')}`
      reject(`select[${index}]`, `there is no column ${describe(name)}${hint}`)
    }
  return [...new Set(columns)]
}

/** The most rows that a call asks for. More than there may be count as the most that there may be. */
function readLimit(args: Members): number {
  const limit = args.get('limit') ?? DEFAULT_ROWS
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1) return Math.min(limit, MOST_ROWS)
  return reject('limit', `expected a whole number from 1 to ${MOST_ROWS}, found ${describe(limit)}`)
}
