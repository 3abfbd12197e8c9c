/** The thread of a walk. Walking through a million files takes seconds, and calls for folders on local disks wait for them. */
import { parentPort } from 'node:worker_threads'
import { FORMATS } from '../../../plan/formats.ts'
import { openDatasetRoot } from '../../datasets/root.ts'
import { lowerOwnPriority } from '../../dispatch/engines/thread-priority.ts'
import { serve } from '../../threads/serve.ts'
import { crawlFolder, type WalkProgress } from './crawl-folder.ts'
import type { WalkFunctions } from './walk-functions.ts'

if (parentPort !== null)
  serve<WalkFunctions, WalkProgress>(parentPort, (emit) => {
    lowerOwnPriority()
    const ending = new AbortController()
    return {
      async walk({ root, hidden, ...request }) {
        const datasets = await openDatasetRoot(root, { hidden })
        return crawlFolder(datasets, FORMATS, request, emit, ending.signal)
      },
      end: () => ending.abort(),
      close: () => undefined,
    }
  })
