/** Child process: opens the catalog in a folder and runs a statement of three changes. It dies at a step (die-at-step.ts). */

import { put } from './definitions.ts'
import { dieAtStep } from './die-at-step.ts'
import { openInFolder } from './store.ts'

const [, , folder = ''] = process.argv
const catalog = await openInFolder(folder, {
  entry: new URL('./dying-writer.ts', import.meta.url),
  atStep: dieAtStep,
})
await catalog.change(
  [put('new'), put('changed', 'after.csv'), { kind: 'drop', name: 'dropped' }],
  new AbortController().signal,
)
process.stdout.write('answered')
await catalog.close()
