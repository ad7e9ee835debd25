"""Archives of millions: decided by a compiled kernel, explained by the scalar engine (floor 5).

`walk` goes through a source's lines, `engines` says who decides them, `claims` compares the two
tiers. A run (`runs`) cuts its sources into `units`, `work` turns a unit into a part (`columns`,
`rows`, `parts`), here, in processes (`doing`) or on a `cluster`. `asking`, `reporting`,
`disputes` and `originals` answer from the parts. Needs the extra `archive`.
"""
