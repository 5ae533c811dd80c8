//go:build !js

package live

// Content is all that the site's scripts read of the figures.
type Content struct {
	Kinds   map[string]Kind   `json:"kinds"`
	Samples map[string]Sample `json:"samples"`
	Theme   Theme             `json:"theme"`
}

// NewContent is the content of a site.
func NewContent() (*Content, error) {
	samples, err := Samples()
	if err != nil {
		return nil, err
	}
	return &Content{Kinds(), samples, theme()}, nil
}
