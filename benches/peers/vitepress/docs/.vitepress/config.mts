// As it comes, with its own search, and a sidebar for each group.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const docs = join(import.meta.dirname, '..')
const titleOf = (file: string) => readFileSync(join(docs, file), 'utf8').match(/^title: "(.*)"/m)?.[1] ?? file
const foldersOf = (folder: string, kind: string) => readdirSync(join(docs, folder)).filter((name) => name.startsWith(`${kind}-`)).sort()

const groups = foldersOf('.', 'group').map((group) => ({
  text: titleOf(`${group}/index.md`),
  link: `/${group}/`,
  items: foldersOf(group, 'section').map((section) => ({
    text: titleOf(`${group}/${section}/index.md`),
    link: `/${group}/${section}/`,
    collapsed: true,
    items: foldersOf(`${group}/${section}`, 'page').map((file) => ({ text: titleOf(`${group}/${section}/${file}`), link: `/${group}/${section}/${file.slice(0, -3)}` })),
  })),
}))

export default {
  title: 'Generated',
  themeConfig: {
    nav: groups.map(({ text, link }) => ({ text, link })),
    sidebar: Object.fromEntries(groups.map((group) => [group.link, [group]])),
    search: { provider: 'local' },
  },
}
