/** What commands of TeX stand for. */
const LETTERS =
  'alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ sigma σ varsigma ς tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω infty ∞ partial ∂ nabla ∇ hbar ℏ ell ℓ Re ℜ Im ℑ aleph ℵ emptyset ∅ varnothing ∅ angle ∠ degree °';
const OPERATORS =
  'times × cdot ⋅ div ÷ pm ± mp ∓ ast ∗ star ⋆ circ ∘ bullet ∙ oplus ⊕ otimes ⊗ le ≤ leq ≤ ge ≥ geq ≥ ll ≪ gg ≫ ne ≠ neq ≠ approx ≈ equiv ≡ sim ∼ simeq ≃ cong ≅ propto ∝ in ∈ notin ∉ ni ∋ subset ⊂ subseteq ⊆ supset ⊃ supseteq ⊇ cup ∪ cap ∩ setminus ∖ forall ∀ exists ∃ neg ¬ lnot ¬ land ∧ wedge ∧ lor ∨ vee ∨ to → rightarrow → longrightarrow ⟶ Rightarrow ⇒ implies ⇒ leftarrow ← Leftarrow ⇐ leftrightarrow ↔ Leftrightarrow ⇔ iff ⇔ mapsto ↦ uparrow ↑ downarrow ↓ ldots … dots … cdots ⋯ vdots ⋮ ddots ⋱ mid ∣ parallel ∥ perp ⊥ prime ′ langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ lbrace { rbrace } vert | Vert ‖ colon : therefore ∴ because ∵ top ⊤ vdash ⊢ models ⊨';
const LARGE = 'sum ∑ prod ∏ coprod ∐ bigcup ⋃ bigcap ⋂ bigoplus ⨁ bigotimes ⨂ bigvee ⋁ bigwedge ⋀';
const INTEGRALS = 'int ∫ iint ∬ iiint ∭ oint ∮';
const ACCENTS = 'hat ^ widehat ^ bar ¯ overline ‾ vec → tilde ~ widetilde ~ dot ˙ ddot ¨ overrightarrow → overbrace ⏞';

const read = (pairs: string): ReadonlyMap<string, string> => {
  const words = pairs.split(' ');
  return new Map(words.flatMap((name, index) => (index % 2 === 0 ? [[name, words[index + 1] ?? ''] as const] : [])));
};

export const TEX_LETTERS = read(LETTERS);
export const TEX_OPERATORS = read(OPERATORS);
/** Their limits stand above and below. */
export const TEX_LARGE = read(LARGE);
export const TEX_INTEGRALS = read(INTEGRALS);
export const TEX_ACCENTS = read(ACCENTS);
export const TEX_UNDER = read('underline _ underbrace ⏟');
export const TEX_FUNCTIONS: ReadonlySet<string> = new Set(
  'sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln lg exp det dim ker deg arg gcd hom Pr'.split(' '),
);
/** Functions whose limits stand below. */
export const TEX_LIMITS: ReadonlySet<string> = new Set('lim max min sup inf limsup liminf argmax argmin'.split(' '));
/** Widths in em. */
export const TEX_SPACES: ReadonlyMap<string, number> = new Map([
  [',', 0.17],
  [':', 0.22],
  [';', 0.28],
  [' ', 0.25],
  ['!', -0.17],
  ['quad', 1],
  ['qquad', 2],
]);
/** Commands that change nothing here. */
export const TEX_IGNORED: ReadonlySet<string> = new Set(
  'displaystyle textstyle limits nolimits nonumber notag big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr mathstrut'.split(' '),
);

/** Where the alphabets of Unicode's mathematical letters begin: capitals, small letters, digits. */
const ALPHABETS: Readonly<Record<string, readonly [number, number, number]>> = {
  mathbf: [0x1d400, 0x1d41a, 0x1d7ce],
  boldsymbol: [0x1d468, 0x1d482, 0x1d7ce],
  mathbb: [0x1d538, 0x1d552, 0x1d7d8],
  mathcal: [0x1d49c, 0x1d4b6, 0],
  mathfrak: [0x1d504, 0x1d51e, 0],
  mathsf: [0x1d5a0, 0x1d5ba, 0x1d7e2],
};
/** Letters that stood in Unicode before their alphabet did. */
const EARLIER: Readonly<Record<string, string>> = {
  mathbb: 'CℂHℍNℕPℙQℚRℝZℤ',
  mathcal: 'BℬEℰFℱHℋIℐLℒMℳRℛeℯgℊoℴ',
  mathfrak: 'CℭHℌIℑRℜZℨ',
};

export function isAlphabet(name: string): boolean {
  return Object.hasOwn(ALPHABETS, name);
}

/** A text in one of the alphabets; what the alphabet lacks stays as it is. */
export function inAlphabet(name: string, text: string): string {
  const [capital = 0, small = 0, digit = 0] = ALPHABETS[name] ?? [];
  return [...text]
    .map((character) => {
      const earlier = EARLIER[name]?.indexOf(character) ?? -1;
      if (earlier >= 0 && earlier % 2 === 0) return EARLIER[name]?.[earlier + 1] ?? character;
      if (/[A-Z]/.test(character)) return String.fromCodePoint(capital + character.charCodeAt(0) - 65);
      if (/[a-z]/.test(character)) return String.fromCodePoint(small + character.charCodeAt(0) - 97);
      return /\d/.test(character) && digit > 0 ? String.fromCodePoint(digit + Number(character)) : character;
    })
    .join('');
}
