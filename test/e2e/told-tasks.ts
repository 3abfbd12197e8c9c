/** The channel on which workers of tests tell the kind of each task that they begin. */
export const TASKS = 'tasks'
