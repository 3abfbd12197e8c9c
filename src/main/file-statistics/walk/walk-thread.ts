/** The thread of a walk over the files of a folder: a million of them take seconds, and calls for folders on local disks wait. */
import { parentPort } from 'node:worker_threads'
import { FORMATS } from '../../../plan/formats.ts'
import { openDatasetRoot } from '../../datasets/root.ts'
import { lowerOwnPriority } from '../../dispatch/engines/thread-priority.ts'
import { serve } from '../../threads/serve.ts'
import { walkFiles } from './walk-files.ts'
import type { WalkFunctions, WalkStep } from './walk-functions.ts'

if (parentPort !== null)
  serve<WalkFunctions>(parentPort, () => {
    lowerOwnPriority()
    const ending = new AbortController()
    let steps: AsyncGenerator<WalkStep, void> | null = null
    return {
      async begin({ root, prefix, hidden }) {
        steps = walkFiles(await openDatasetRoot(root, { hidden }), FORMATS, prefix, ending.signal)
      },
      async next() {
        const step = await steps?.next()
        return step?.value ?? { kind: 'end', unread: [] }
      },
      end: () => ending.abort(),
      close: () => undefined,
    }
  })
