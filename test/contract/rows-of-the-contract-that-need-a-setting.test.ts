import t from 'tap'
import { walkWorld } from './walked.ts'
import { WORLDS } from './worlds.ts'

for (const world of Object.keys(WORLDS).slice(2)) t.test(world, (t) => walkWorld(t, world, false))
