// The document's own words: paragraphs, in which backticks mark code and two asterisks mark what matters.

export function Prose({ text }: { text: string | undefined }) {
  const paragraphs = text?.split(/\n{2,}/).filter(Boolean) ?? [];
  return paragraphs.map((paragraph) => (
    <p key={paragraph}>
      <Inline text={paragraph} />
    </p>
  ));
}

export const Inline = ({ text }: { text: string }) =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change places
    if (part.startsWith('`')) return <code key={index}>{part.slice(1, -1)}</code>;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change places
    if (part.startsWith('**')) return <strong key={index}>{part.slice(2, -2)}</strong>;
    return part;
  });
