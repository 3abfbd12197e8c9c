import { EVERYTHING } from '../../../auth/rights/rights.ts'
import type { CatalogSnapshot, CatalogTable } from '../../../catalog/catalog.ts'
import { type McpExtension, mcpOf } from '../../../catalog/extensions/extension.ts'

const MOST_NAME_CHARACTERS = 64

/** The extension `mcp` of a table. Null: it has none that is enabled. */
export function extensionOf({ definition }: CatalogTable): McpExtension | null {
  return mcpOf(definition?.extensions ?? {})
}

/** The name that the tool of a table has if no other one has it: as its extension says, or after the table. */
function wantedName(table: CatalogTable): string {
  return (
    extensionOf(table)?.tool_name ??
    `query_${table.name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`.slice(0, MOST_NAME_CHARACTERS)
  )
}

/** A function that names tools. A name that is taken gets a number. */
export function createToolNames(reserved: readonly string[]): (table: CatalogTable) => string {
  const taken = new Set(reserved)
  const numbers = new Map<string, number>()
  return (table) => {
    const base = wantedName(table)
    let name = base
    for (let number = numbers.get(base) ?? 2; taken.has(name); number++) {
      const end = `_${number}`
      name = base.slice(0, MOST_NAME_CHARACTERS - end.length) + end
      numbers.set(base, number + 1)
    }
    taken.add(name)
    return name
  }
}

/**
 * The tables of a snapshot, whoever may read them, whose tools may be called like this one: those that want a name which is the same but
 * for a number at its end. What a tool is called depends on no others. They come in the order of the snapshot.
 */
export function tablesNamedLike(name: string, snapshot: CatalogSnapshot): readonly CatalogTable[] {
  const byStem = stems.get(snapshot) ?? tablesByStem(snapshot)
  stems.set(snapshot, byStem)
  return byStem.get(stemOf(name)) ?? []
}

/** For each snapshot. Nothing in it depends on a caller. */
const stems = new WeakMap<CatalogSnapshot, ReadonlyMap<string, readonly CatalogTable[]>>()

function tablesByStem(snapshot: CatalogSnapshot): ReadonlyMap<string, readonly CatalogTable[]> {
  const enabled = snapshot.all({ rights: EVERYTHING }).filter((table) => extensionOf(table) !== null)
  return Map.groupBy(enabled, (table) => stemOf(wantedName(table)))
}

/** The characters of a name that no number at its end replaces, however many tables there are. */
const STEM_CHARACTERS = 40

/** A name without numbers at its end: the same for all names that `createToolNames` makes of one. */
function stemOf(name: string): string {
  const numbers = /[_\d]+$/
  return name.replace(numbers, '').slice(0, STEM_CHARACTERS).replace(numbers, '')
}
