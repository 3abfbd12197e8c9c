/** What may be stored beside the definition of a table or a view. */
export const EXTENSION_KINDS = ['mcp', 'preset'] as const

export type ExtensionKind = (typeof EXTENSION_KINDS)[number]

/** The extensions of a table by their kinds, each as the JSON value that was checked when it was set. */
export type Extensions = Readonly<Partial<Record<ExtensionKind, Extension>>>

export type Extension = Readonly<Record<string, unknown>>

/** A named list of filters, which a JSON query over the table may ask for. */
export interface Preset {
  readonly name: string
  readonly description?: string
  readonly filters: readonly PresetFilter[]
}

export interface PresetFilter {
  readonly column: string
  readonly op: PresetOperator
  /** A pair for `between`, an array for `in`, else one value. */
  readonly value: unknown
}

export const PRESET_OPERATORS = ['=', '!=', '<', '<=', '>', '>=', 'between', 'in'] as const

type PresetOperator = (typeof PRESET_OPERATORS)[number]

/** How a table is a tool of MCP. Its members are as they are stored. */
export interface McpExtension {
  readonly enabled?: boolean
  readonly tool_name?: string
  readonly title?: string
  readonly description?: string
  readonly exposed_columns?: readonly (string | ExposedColumn)[]
  readonly guardrails?: Readonly<Record<string, unknown>>
}

/** A column that the tool of a table has. */
export interface ExposedColumn {
  readonly name: string
  readonly description?: string
}

/** Extensions as JSON, the kinds in the order of `EXTENSION_KINDS`. Exact numbers keep all of their digits. */
export function printExtensions(extensions: Extensions): string {
  return JSON.stringify(
    Object.fromEntries(
      EXTENSION_KINDS.flatMap((kind) => (extensions[kind] ? [[kind, extensions[kind]]] : [])),
    ),
  )
}

/** The extension of a table that is a tool of MCP. Null: it is none. */
export function mcpOf({ mcp }: Extensions): McpExtension | null {
  const extension = mcp as McpExtension | undefined
  return extension?.enabled === true ? extension : null
}

/** The presets of an extension that was checked. */
export function presetsOf({ preset }: Extensions): readonly Preset[] {
  return (preset?.['presets'] ?? []) as readonly Preset[]
}
