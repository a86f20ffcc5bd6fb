/** A course's grade out of 100, and its credits. */
export interface Grade {
  readonly score: number;
  readonly credits: number;
}

/** The average weighted by credits, and the grade points on the usual scale of 4. Throws a `RangeError` without credits. */
export function averageGrades(grades: readonly Grade[]): { readonly average: number; readonly points: number; readonly credits: number } {
  const credits = grades.reduce((sum, grade) => sum + grade.credits, 0);
  if (credits <= 0) throw new RangeError('no credits');
  const weigh = (value: (grade: Grade) => number) => grades.reduce((sum, grade) => sum + value(grade) * grade.credits, 0) / credits;
  return { average: hundredths(weigh(({ score }) => score)), points: hundredths(weigh(({ score }) => gradePoints(score))), credits };
}

/** 90 and more: 4.0; below, in steps as most tables have them; below 60: 0. */
export function gradePoints(score: number): number {
  return STEPS.find(({ from }) => score >= from)?.points ?? 0;
}

const STEPS = [
  { from: 90, points: 4 },
  { from: 85, points: 3.7 },
  { from: 82, points: 3.3 },
  { from: 78, points: 3 },
  { from: 75, points: 2.7 },
  { from: 72, points: 2.3 },
  { from: 68, points: 2 },
  { from: 64, points: 1.5 },
  { from: 60, points: 1 },
];

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Reads `90x3, 85x2`; null when a part is no grade with credits. */
export function readCourses(text: string): readonly Grade[] | null {
  const parts = text.split(/[,，、;；\n]+/).filter((part) => part.trim() !== '');
  const courses = parts.map((part) => /^\s*(?<score>\d{1,3}(?:\.\d+)?)\s*[x×*/@]\s*(?<credits>\d{1,2}(?:\.\d+)?)\s*$/iu.exec(part)?.groups);
  const grades = courses.flatMap((found) => (found ? [{ score: Number(found['score']), credits: Number(found['credits']) }] : []));
  if (grades.length === 0 || grades.length < parts.length) return null;
  return grades.every(({ score, credits }) => score <= 100 && credits > 0) ? grades : null;
}
