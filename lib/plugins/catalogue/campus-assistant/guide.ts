/** What the campus assistant knows by itself: how it counts. All else is in the tenant's own documents. */
export const GRADES_EN = `# How teaching weeks and grade points are counted

## Teaching weeks

A term's first teaching week is the week in which the term begins. Weeks begin on Monday. Days outside the terms that were entered belong to no teaching week.

## Grade points

Each grade out of 100 stands for grade points: 90 and more 4.0, from 85 3.7, from 82 3.3, from 78 3.0, from 75 2.7, from 72 2.3, from 68 2.0, from 64 1.5, from 60 1.0, below 60 none.

The grade point average is the sum of grade points times credits, divided by all credits. Ask your faculty office where it counts otherwise.
`;

export const GRADES_ZH = `# 教学周与绩点的算法

## 教学周

学期开始那天所在的一周是第一教学周，每周从周一开始。不在已录入学期内的日子不属于任何教学周。

## 绩点

百分制成绩对应的绩点：90 分及以上 4.0，85 分起 3.7，82 分起 3.3，78 分起 3.0，75 分起 2.7，72 分起 2.3，68 分起 2.0，64 分起 1.5，60 分起 1.0，60 分以下没有绩点。

平均绩点是各科绩点乘以学分之和除以总学分。如学院另有规定，以学院教务为准。
`;
