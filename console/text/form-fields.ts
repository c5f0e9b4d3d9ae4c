// What was filled into a form, as text without the spaces around it.

/** What is checked of the choices that go by this name. */
export const chosenIn = (fields: Record<string, string>, name: string): string[] =>
  Object.keys(fields).flatMap((field) => (field.startsWith(`${name}:`) ? [field.slice(name.length + 1)] : []));

export const fieldsOf = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value.trim()]] : [])),
  );
