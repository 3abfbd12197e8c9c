import { ServiceError } from '../../../plan/errors.ts'
import { didYouMean } from '../../../plan/nearest-name.ts'
import { PUBLIC } from '../../catalog/catalog.ts'
import type { Drop } from '../../sql/grammar/node.ts'
import type { RunCommand } from '../context.ts'
import { targetName } from '../target-name.ts'

/** DROP TABLE and DROP VIEW, each of either: deletes a definition. The files stay, and so do views above it. */
export const drop: RunCommand<Drop> = async ({ name: written, isIfExists }, { catalog, caller, signal }) => {
  const name = targetName(written, catalog)
  await catalog.change(() => {
    const snapshot = catalog.snapshot()
    const droppedTable = snapshot.find(caller, name, PUBLIC)
    if (droppedTable?.definition != null) return [{ kind: 'drop', name: droppedTable.name }]
    if (isIfExists) return []
    const names = snapshot.all(caller).flatMap((table) => (table.definition === null ? [] : [table.name]))
    throw new ServiceError(
      'unknown_table',
      `There is no table or view ${JSON.stringify(name)}${didYouMean(name, names) || '; with IF EXISTS that is no error.'}`,
      { about: name },
    )
  }, signal)
}
