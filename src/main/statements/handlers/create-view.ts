import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import { foldSqlName } from '../../../plan/statement/statement.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import { PUBLIC } from '../../catalog/catalog.ts'
import type { Definition } from '../../catalog/definition.ts'
import { ANY_ATTACHED } from '../../sql/gate/check-names.ts'
import { createNamesIn } from '../../sql/gate/names-in.ts'
import type { CreateView } from '../../sql/grammar/node.ts'
import type { RunCommand, StatementContext } from '../context.ts'
import { storeDefinition } from '../store-definition.ts'
import { newName } from '../target-name.ts'
import { columnsOfView } from '../view-columns.ts'

/** CREATE VIEW: binds a query, and stores its text under a name with the columns that it has now. */
export const createView: RunCommand<CreateView> = async (node, context) => {
  const name = newName(node.name, node.ifExists, context)
  if (name === null) return
  const statement = Object.freeze({
    ...node,
    name: Object.freeze({ catalog: null, schema: null, name }),
    ifExists: 'fail',
  } as const)
  const circle = circleThrough(name, node.query, context)
  // Binding takes a while, in which another statement may have created a view of this name, or one that closes a circle.
  const isWanted = (): boolean => {
    const closed = circle === null ? circleThrough(name, node.query, context) : null
    if (closed !== null) throw readsItself(name, closed)
    return newName(node.name, node.ifExists, context) !== null
  }
  const define = async (): Promise<Definition> => {
    const columns = await boundColumns(name, context.queryInPlace ?? node.query, context)
    return Object.freeze({ statement, columns })
  }
  await storeDefinition(define, isWanted, context)
}

/**
 * The columns of the query of a view. What the view replaces is not there for the query, which cannot read it through other views
 * either. Throws what the query fails with.
 */
async function boundColumns(name: string, query: string, context: StatementContext): Promise<Schema> {
  const { catalog, caller } = context
  const present = catalog.snapshot()
  const isReplacing = present.find(caller, name, PUBLIC)?.definition != null
  const snapshot = isReplacing ? catalog.preview([{ kind: 'drop', name }]).snapshot : present
  try {
    return await columnsOfView(query, context, snapshot)
  } catch (error) {
    if (!isServiceError(error) || error.status !== 400) throw error
    const circle = circleThrough(name, query, context)
    if (circle !== null) throw readsItself(name, circle)
    throw new ServiceError(error.code, `The query of the view ${JSON.stringify(name)}: ${error.message}`, {
      cause: error,
    })
  }
}

function readsItself(name: string, circle: readonly string[]): ServiceError {
  return new ServiceError(
    'invalid_sql',
    `The view ${JSON.stringify(name)} would read itself: ${circle.join(' → ')}.`,
  )
}

/**
 * The names by which a query reads a view of this name, through other views: they begin and end with it. Null: it does not read it.
 * Names that a query gives to tables of its own count too.
 */
function circleThrough(
  name: string,
  query: string,
  { catalog, formats, caller }: Pick<StatementContext, 'catalog' | 'formats' | 'caller'>,
): readonly string[] | null {
  const namesIn = createNamesIn({ formats, catalog: catalog.name, isAttached: ANY_ATTACHED })
  const snapshot = catalog.snapshot()
  /** For each name that was reached, the name in whose query it stands. */
  const from = new Map<string, string>()
  const texts = new Map([[name, query]])
  for (const [view, text] of texts)
    for (const { name: below, schema } of namesIn(text)) {
      if (schema !== null && foldSqlName(schema) !== PUBLIC) continue
      if (foldSqlName(below) === foldSqlName(name)) return [...pathTo(view, from), name]
      const relationBelow = snapshot.find(caller, below, PUBLIC)
      if (relationBelow?.query == null || texts.has(relationBelow.name)) continue
      from.set(relationBelow.name, view)
      texts.set(relationBelow.name, relationBelow.query)
    }
  return null
}

function pathTo(view: string, from: ReadonlyMap<string, string>): readonly string[] {
  const path = [view]
  for (let above = from.get(view); above !== undefined; above = from.get(above)) path.unshift(above)
  return path
}
