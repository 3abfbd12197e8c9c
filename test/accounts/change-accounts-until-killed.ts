/** Child process: opens the catalog in a folder and changes users and roles at once. It dies at a step (die-at-step.ts). */
import { dieAtStep } from '../catalog/die-at-step.ts'
import { openInFolder } from '../catalog/store.ts'
import { putRole, putUser } from './changes.ts'

const [, , folder = ''] = process.argv
const { directory, close } = await openInFolder(folder, {
  entry: new URL('../catalog/dying-writer.ts', import.meta.url),
  atStep: dieAtStep,
})
await directory.change(
  () => [
    putRole('new', { effect: 'deny', target: { kind: 'all' } }),
    putRole('changed', { effect: 'deny', target: { kind: 'path', glob: 'after/*' } }),
    { kind: 'drop_role', name: 'dropped' },
    putUser('ann', 'changed', 'new'),
    putUser('new'),
    { kind: 'drop_user', name: 'gone' },
  ],
  new AbortController().signal,
)
process.stdout.write('answered')
await close()
