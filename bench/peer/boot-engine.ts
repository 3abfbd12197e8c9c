/** Starts an engine of DuckDB, `with` the functions that DuckDB does not have or `without`, and sends how many milliseconds it took. */
import { testEngine } from '../../test/sql/engine.ts'
import { timed } from '../report/statistics.ts'

const addsFunctions = process.argv[2] === 'with'
process.send?.(await timed(() => testEngine({ addsFunctions })))
