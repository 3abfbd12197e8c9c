import { SYSTEM_RELATIONS } from '../../../../plan/statement/system-relations.ts'
import { PLACEHOLDER, PUBLIC } from '../../../catalog/catalog.ts'
import { SCHEMA } from './dataset-operations.ts'
import {
  ADMIN_ERRORS,
  BODY_ERRORS,
  CLIENT_ERRORS,
  jsonAnswer,
  listOf,
  OBJECT,
  type Operation,
  parameterErrorAnswer,
  plainErrorAnswer,
  TEXT,
  TEXTS,
} from './operation.ts'

const PLAIN = { plain: { summary: 'No parameters' } }
const NO_COLUMNS = { fields: [], metadata: {} }

function list(description: string, schema: object, example: unknown): Operation {
  return {
    requests: PLAIN,
    answers: { 200: jsonAnswer(description, schema, { plain: example }), ...CLIENT_ERRORS },
  }
}

/** The operations that list tables. `name` is `SERVICE_NAME`; the tables are those of a service on which none was made. */
export function tableOperations(name: string): Readonly<Record<string, Operation>> {
  const catalog = {
    name,
    schemas: ['information_schema', 'public', 'system'].map((schema) => ({
      name: schema,
      tables: [
        ...SYSTEM_RELATIONS.filter((relation) => relation.schema === schema),
        ...(schema === PUBLIC ? [PLACEHOLDER] : []),
      ].map((table) => ({ name: table.name, table_type: table.type })),
    })),
  }
  return {
    listTables: list('The names', TEXTS, ['default']),
    listTablesWithSchema: list('The tables', listOf(OBJECT), [{ table_name: 'default', columns: [] }]),
    listCatalogs: list('The catalogs', OBJECT, {
      default_catalog: name,
      default_schema: PUBLIC,
      catalogs: [catalog],
    }),
    getTableExtensions: {
      requests: {
        default_table: { summary: 'The default table', parameters: { table_name: 'default' } },
        missing: { summary: 'A table that does not exist', parameters: { table_name: 'nothing' } },
      },
      answers: {
        200: jsonAnswer('`mcp` and `preset`, as far as there are any', OBJECT, { default_table: {} }),
        400: parameterErrorAnswer('No table is named, or a parameter is given twice', {}),
        404: plainErrorAnswer('There is no such table that the caller may read', {
          missing: `Table ${name}.public.nothing not found`,
        }),
        ...CLIENT_ERRORS,
      },
    },
    putTableExtensions: {
      requests: {
        unknown_table: {
          summary: 'A preset of a table that does not exist',
          parameters: { table_name: 'nothing' },
          body: {
            preset: {
              presets: [{ name: 'surface', filters: [{ column: 'depth', op: '<', value: 10 }] }],
            },
          },
        },
        unknown_member: {
          summary: 'A member that is not known',
          parameters: { table_name: 'nothing' },
          body: { presets: [] },
        },
      },
      answers: {
        200: { description: 'They are stored; without a body' },
        400: plainErrorAnswer('There is no such table, or a member of the body is wrong', {
          unknown_table: 'The table "nothing" does not exist.',
          unknown_member: 'presets: unknown member, did you mean "preset"?',
        }),
        ...BODY_ERRORS,
        ...ADMIN_ERRORS,
      },
    },
    deleteTableExtensions: {
      requests: {
        unknown_table: { summary: 'A table that does not exist', parameters: { table_name: 'nothing' } },
      },
      answers: {
        200: { description: 'The table has none; without a body' },
        400: plainErrorAnswer('There is no such table', {
          unknown_table: 'The table "nothing" does not exist.',
        }),
        ...ADMIN_ERRORS,
      },
    },
    getTableSchema: {
      requests: {
        default_table: { summary: 'The default table', parameters: { table_name: 'default' } },
        missing: { summary: 'A table that does not exist', parameters: { table_name: 'nothing' } },
      },
      answers: {
        200: jsonAnswer('The columns', SCHEMA, { default_table: NO_COLUMNS }),
        400: parameterErrorAnswer('No table is named, or a parameter is given twice', {}),
        404: plainErrorAnswer('There is no such table that the caller may read', {
          missing: `Table ${name}.public.nothing not found`,
        }),
        ...CLIENT_ERRORS,
      },
    },
    getTableDefinition: {
      requests: {
        placeholder: { summary: 'A table that nobody has made', parameters: { table_name: 'default' } },
        missing: { summary: 'A table that does not exist', parameters: { table_name: 'nothing' } },
      },
      answers: {
        200: jsonAnswer('The statement; null for tables of the service itself', OBJECT, {
          placeholder: {
            table_catalog: name,
            table_schema: PUBLIC,
            table_name: PLACEHOLDER.name,
            definition: null,
          },
        }),
        400: parameterErrorAnswer('No table is named, or a parameter is given twice', {}),
        404: plainErrorAnswer('There is no such table', {
          missing: `Table ${name}.public.nothing not found`,
        }),
        ...ADMIN_ERRORS,
      },
    },
    getDefaultTable: list('The name', TEXT, 'default'),
    getDefaultTableSchema: list('The columns', SCHEMA, NO_COLUMNS),
    listAvailableColumns: list('The names of the columns', TEXTS, []),
  }
}
