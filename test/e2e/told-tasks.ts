/** The channel on which the workers of tests tell the kinds of their tasks. */
export const TASKS = 'tasks'
