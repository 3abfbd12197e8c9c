/** Child process: opens the catalog in a folder and attaches another service in place of one. It dies at a step (die-at-step.ts). */
import { dieAtStep } from '../catalog/die-at-step.ts'
import { catalogAt, openAttached } from './stored.ts'

const [, , folder = ''] = process.argv
const { attached, close } = await openAttached(folder, {
  entry: new URL('../catalog/dying-writer.ts', import.meta.url),
  atStep: dieAtStep,
})
await attached.put(catalogAt('changed', 'after'), new AbortController().signal)
process.stdout.write('answered')
await close()
