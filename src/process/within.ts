/**
 * The answer, or a rejection when it does not come in time. What was asked goes on, and its later failure is nobody's.
 */
export async function within<Answer>(timeoutMs: number, ask: () => Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), timeoutMs);
  });
  const asked = ask();
  asked.catch(() => {});
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
