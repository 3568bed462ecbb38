// The repository as the tidy rules see it: every file that git tracks or would track, with its
// syntax tree if it has one. A sample of a few files is also a project, which proves that each rule
// finds violations.
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { type ParseResult, parseSync } from 'oxc-parser'

export type SourceFile = {
  readonly path: string
  readonly text: string
  readonly lines: readonly string[]
  // TypeScript and JavaScript only.
  readonly code: ParseResult | undefined
}

export type Project = {
  readonly files: readonly SourceFile[]
  find(path: string): SourceFile | undefined
}

export type Rule = {
  readonly name: string
  check(project: Project): Finding[]
  // Each of these must be found, the good ones not.
  readonly bad: readonly Sample[]
  readonly good: readonly Sample[]
}

export type Sample = Readonly<Record<string, string>>

export type Finding = { readonly file: string; readonly line: number; readonly text: string }

export function readProject(): Project {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    encoding: 'utf8',
  })
  // What is listed may be deleted and not yet committed as such, or a link to a directory.
  const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true
  const paths = new Set(listed.split('\0').filter((path) => path !== '' && isFile(path)))
  return project([...paths].sort().map((path) => sourceFile(path, readFileSync(path, 'utf8'))))
}

export function sampleProject(sample: Sample): Project {
  return project(Object.entries(sample).map(([path, text]) => sourceFile(path, text)))
}

function project(files: SourceFile[]): Project {
  const byPath = new Map(files.map((file) => [file.path, file]))
  return { files, find: (path) => byPath.get(path) }
}

function sourceFile(path: string, text: string): SourceFile {
  const isCode = /\.(ts|tsx|mjs|js)$/.test(path)
  return {
    path,
    text,
    lines: text.split('\n'),
    code: isCode ? parseSync(path, text) : undefined,
  }
}

export function codeFiles({ files }: Project, under: string): (SourceFile & WithCode)[] {
  return files.filter((file): file is SourceFile & WithCode => {
    return file.path.startsWith(under) && file.code !== undefined && /\.tsx?$/.test(file.path)
  })
}
export type WithCode = { readonly code: ParseResult }

export function finding(file: SourceFile, position: number | { start: number }, text: string) {
  const start = typeof position === 'number' ? position : position.start
  return { file: file.path, line: file.text.slice(0, start).split('\n').length, text }
}

// An import as it was written and the file of this project that it leads to.
export type Import = {
  readonly start: number
  readonly specifier: string
  readonly target: string | undefined
  readonly isType: boolean
  // Undefined stands for all of them.
  readonly names: readonly string[] | undefined
}

export function importsOf(file: SourceFile & WithCode): Import[] {
  const { staticImports, staticExports, dynamicImports } = file.code.module
  const target = (specifier: string) =>
    specifier.startsWith('.') ? posix.join(posix.dirname(file.path), specifier) : undefined
  const statics = staticImports.map(({ start, moduleRequest: { value }, entries }) => ({
    start,
    specifier: value,
    target: target(value),
    isType: entries.length > 0 && entries.every((entry) => entry.isType),
    names: entries.some(({ importName }) => importName.kind === 'NamespaceObject')
      ? undefined
      : entries.map(({ importName }) => importName.name ?? 'default'),
  }))
  const reexports = staticExports.flatMap(({ start, entries }) =>
    entries.flatMap(({ moduleRequest, importName, isType }) => {
      if (!moduleRequest) return []
      const names = importName.name === null ? undefined : [importName.name]
      const specifier = moduleRequest.value
      return [{ start, specifier, target: target(specifier), isType, names }]
    }),
  )
  const dynamics = dynamicImports.flatMap(({ start, moduleRequest }) => {
    const specifier = file.text.slice(moduleRequest.start + 1, moduleRequest.end - 1)
    return [{ start, specifier, target: target(specifier), isType: false, names: undefined }]
  })
  return [...statics, ...reexports, ...dynamics]
}
