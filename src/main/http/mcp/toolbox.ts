import type { Services } from '../services.ts'
import type { Tool, ToolCall } from './tool.ts'
import { createDescribeTable } from './tools/describe-table.ts'
import { createExportQuery } from './tools/export-query.ts'
import { createListTables } from './tools/list-tables.ts'
import { createRunSql } from './tools/run-sql.ts'
import { tableToolNamed, tableTools } from './tools/table-tools.ts'

/** The tools that a caller may call. */
export interface Toolbox {
  /** Those of the service itself, and then those of the tables that the caller may read. */
  list(call: ToolCall): Promise<readonly Tool[]>
  /** The tool of this name. Null: there is none, or it is of a table that the caller may not read. */
  find(name: string, call: ToolCall): Promise<Tool | null>
}

export function createToolbox(services: Services): Toolbox {
  const ofSql = [createRunSql(services), createExportQuery(services)]
  const ofTables = [createListTables(services), createDescribeTable(services)]
  // A table never gets the name of a tool that is switched off: it would have another meaning where that is on.
  const reserved = [...ofTables, ...ofSql].map(({ name }) => name)
  const fixed = services.config.enableSql ? [...ofTables, ...ofSql] : ofTables
  return {
    list: async (call) => [...fixed, ...(await tableTools(services, reserved, call))],
    async find(name, call) {
      const tool = fixed.find((each) => each.name === name)
      if (tool !== undefined) return tool
      if (reserved.includes(name)) return null
      return tableToolNamed(name, services, reserved, call)
    },
  }
}
