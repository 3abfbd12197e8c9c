/** Child process: opens the catalog in a folder and replaces a secret. It dies at a step (die-at-step.ts). */
import { dieAtStep } from '../catalog/die-at-step.ts'
import { openInFolder } from '../catalog/store.ts'
import { keyFor } from './keys.ts'
import { loginOf } from './logins.ts'
import { keysOf } from './opened.ts'

const [, , folder = ''] = process.argv
const { secrets, close } = await openInFolder(folder, {
  secretsKey: keysOf(keyFor('a')),
  entry: new URL('../catalog/dying-writer.ts', import.meta.url),
  atStep: dieAtStep,
})
await secrets.put(loginOf('changed', 'after'), new AbortController().signal)
process.stdout.write('answered')
await close()
