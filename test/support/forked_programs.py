"""Runs programs, each in a fork of this process: what they import is loaded once. Reads and writes lines of JSON."""
import ast
import importlib
import json
import os
import sys
import tempfile


def load(program):
    """Imports what a program imports at any place. What cannot be imported fails in the program itself."""
    for node in ast.walk(ast.parse(program)):
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module]
        for name in names:
            try:
                importlib.import_module(name)
            except Exception:
                pass


def run(program, arguments, output, errors):
    """Does what `python -c` does."""
    for number, file in enumerate([os.open(os.devnull, os.O_RDONLY), output.fileno(), errors.fileno()]):
        os.dup2(file, number)
    sys.argv = ['-c', *arguments]
    exec(compile(program, '<string>', 'exec'), {'__name__': '__main__'})


def text(file):
    file.seek(0)
    return file.read().decode()


requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), 'w')
for line in requests:
    request = json.loads(line)
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        try:
            load(request['program'])
        except SyntaxError:
            pass
        child = os.fork()
        if child == 0:
            # The process ends as any other does: with a traceback, or when what it has opened has been closed.
            run(request['program'], request['arguments'], output, errors)
            sys.exit()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        answer = {'code': code, 'output': text(output), 'errors': text(errors)}
    print(json.dumps(answer), file=answers, flush=True)
