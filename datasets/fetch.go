package datasets

import (
	"context"
)

type fetcher struct{}

func defaultFetcher() *fetcher { return &fetcher{} }

func (*fetcher) fetch(ctx context.Context, f File, progress any) error { return ErrOffline }
