/* @flags: -xerrtags -e */
/* @status: 1 */
pid1:a.out:main:enter { }
