/** Child process: opens the catalog in a folder, makes a table, says so, and lives until it is killed or its input ends. */
import { put } from './definitions.ts'
import { openInFolder } from './store.ts'

const catalog = await openInFolder(process.argv[2] ?? '')
await catalog.change([put('held')], new AbortController().signal)
process.stdout.write('held')
process.stdin.resume()
