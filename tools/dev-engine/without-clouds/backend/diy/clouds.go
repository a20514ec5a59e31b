package diy

import (
	"context"
	"fmt"
	"net/url"

	"gocloud.dev/blob"
)

// The request whose copy source the engine mends for S3; nothing is ever one here.
type copyObjectInput struct{ CopySource *string }

type absentStorage struct{}

func (absentStorage) OpenBucketURL(_ context.Context, u *url.URL) (*blob.Bucket, error) {
	return nil, fmt.Errorf("this engine was built without the packages of clouds; "+
		"install Pulumi from pulumi.com to use %s://", u.Scheme)
}

func init() {
	for _, scheme := range []string{"azblob", "gs", "s3"} {
		blob.DefaultURLMux().RegisterBucket(scheme, absentStorage{})
	}
}
