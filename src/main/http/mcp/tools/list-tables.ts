import { mcpOf } from '../../../catalog/extensions/extension.ts'
import { visibleTables } from '../../../catalog/visible-tables.ts'
import { checkMembers, readOptionalText } from '../../../json/shape.ts'
import type { Services } from '../../services.ts'
import { boundRows, MOST_ROWS, printRows } from '../bounded-rows.ts'
import { writtenName } from '../named-table.ts'
import { type Tool, textAnswer } from '../tool.ts'

const GUIDANCE = 'There are more tables; name_contains finds those with a part of a name.'

/** The tool that lists the tables and views that its caller may read. */
export function createListTables({ catalog, queries }: Pick<Services, 'catalog' | 'queries'>): Tool {
  return {
    name: 'list_tables',
    title: 'List tables',
    description:
      'Lists the tables and views that you may query, each with its name as a query writes it, its type, and a description if it has one.',
    inputSchema: {
      type: 'object',
      properties: {
        name_contains: {
          type: 'string',
          description: 'Lists only tables with this in their names, whatever the case',
        },
      },
      additionalProperties: false,
    },
    async call(args, { caller, signal }) {
      checkMembers(args, ['name_contains'], '')
      const part = readOptionalText(args, 'name_contains', '')?.toLowerCase() ?? ''
      const tables = visibleTables(catalog.snapshot(), caller).filter(({ name }) =>
        name.toLowerCase().includes(part),
      )
      const readable = await queries.readableOf(tables, caller, signal)
      const rows = readable.slice(0, MOST_ROWS + 1).map((table) => {
        const { title, description } = mcpOf(table.definition?.extensions ?? {}) ?? {}
        return JSON.stringify({ table: writtenName(table), type: table.type, title, description })
      })
      return textAnswer(printRows(boundRows(rows), MOST_ROWS, GUIDANCE))
    },
  }
}
