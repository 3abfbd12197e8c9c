import { typeName } from '../../../../plan/types/schema.ts'
import { mcpOf, presetsOf } from '../../../catalog/extensions/extension.ts'
import { checkMembers, readText } from '../../../json/shape.ts'
import type { Services } from '../../services.ts'
import { boundRows, MOST_ROWS, printRows } from '../bounded-rows.ts'
import { columnsOf, tableNamed, writtenName } from '../named-table.ts'
import { type Tool, textAnswer } from '../tool.ts'

const GUIDANCE =
  'There are more columns. The error of a query that names one that is not there names the nearest.'

/** The tool that tells of the columns of a table or a view. */
export function createDescribeTable(services: Pick<Services, 'catalog' | 'queries'>): Tool {
  return {
    name: 'describe_table',
    title: 'Describe a table',
    description:
      'Tells of the columns of a table or a view: names, types, and metadata such as units. Also its description and its presets, if it has any.',
    inputSchema: {
      type: 'object',
      properties: { table: { type: 'string', description: 'Its name, as list_tables gives it' } },
      required: ['table'],
      additionalProperties: false,
    },
    async call(args, call) {
      checkMembers(args, ['table'], '')
      const table = await tableNamed(readText(args.get('table'), 'table'), services, call)
      const { fields } = await columnsOf(table, services, call)
      const rows = fields.slice(0, MOST_ROWS + 1).map(({ name, type, nullable, metadata }) =>
        JSON.stringify({
          name,
          type: typeName(type),
          nullable,
          ...(Object.keys(metadata).length > 0 && { metadata }),
        }),
      )
      const { extensions = {} } = table.definition ?? {}
      const presets = presetsOf(extensions)
      const { title, description } = mcpOf(extensions) ?? {}
      const about = JSON.stringify({
        table: writtenName(table),
        type: table.type,
        title,
        description,
        ...(presets.length > 0 && { presets }),
      })
      return textAnswer(`${about.slice(0, -1)},"columns":${printRows(boundRows(rows), MOST_ROWS, GUIDANCE)}}`)
    },
  }
}
